import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { ERRORS } from "#server/operation/errors.ts";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { guidesOf } from "./guides.ts";

const api = await startApi();

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(api.origin + path, { headers });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    text: await response.text(),
  };
}

const statuses = new Map<string, Promise<number>>();
/** Returns the status of a page that many others link to. */
function statusOf(path: string) {
  const status =
    statuses.get(path) ?? fetch(api.origin + path, { method: "HEAD" }).then((answer) => answer.status);
  statuses.set(path, status);
  return status;
}

const pages = [
  "/docs",
  "/docs/changelog",
  "/docs/events",
  ...guidesOf("").map(({ path }) => path),
  "/docs/errors",
  ...Object.keys(ERRORS).map((code) => `/docs/errors/${code}`),
  ...apiOperations.map((operation) => `/docs/${operation.operationId}`),
];

describe.for(pages)("%s", (path) => {
  test("is a page of HTML that needs no script, with a Markdown twin", async () => {
    const html = await read(path);
    expect([html.status, html.type]).toEqual([200, "text/html; charset=utf-8"]);
    expect(html.text.match(/<h1>/g)).toHaveLength(1);
    expect(html.text).not.toMatch(
      /<style|style=|<script(?! src="\/docs\/(search\.js" defer|samples\.js")><)/,
    );
    expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
    const markdown = await read(`${path}.md`);
    expect([markdown.status, markdown.type]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(markdown.text).toMatch(/^# .+\n\n/);
  });

  test("links only to existing pages", async () => {
    const { text } = await read(path);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => defined(link));
    const within = links.filter((link) => link.startsWith("#")).map((link) => link.slice(1));
    expect(within.filter((id) => !ids.includes(id))).toEqual([]);
    const ours = [...new Set(links)].filter((link) => link.startsWith("/docs"));
    const answers = await Promise.all(ours.map(statusOf));
    expect(ours.filter((_, index) => answers[index] !== 200)).toEqual([]);
  });
});

test("a page with its stylesheet is under 100 KB, compressed", async () => {
  const style = (await read("/docs/reference.css")).text;
  const sizes = await Promise.all(
    pages.map(async (path) => gzipSync((await read(path)).text + style).byteLength),
  );
  expect(Math.max(...sizes)).toBeLessThan(100 * 1024);
});

test("the stylesheet's fonts are served beside it, and may be loaded", async () => {
  const { text, headers } = await read("/docs/reference.css");
  expect(headers.get("content-security-policy")).toContain("font-src 'self'");
  const fonts = [...text.matchAll(/url\("([^"]+)"\)/g)].map(([, path]) => path as string);
  const answers = await Promise.all(fonts.map((path) => read(path)));
  expect(answers.map(({ status, type }) => [status, type])).toEqual(Array(2).fill([200, "font/woff2"]));
});

test("answers 304 to a client that has the page, and 404 for an unknown page", async () => {
  const etag = defined((await read("/docs")).headers.get("etag"));
  expect((await read("/docs", { "if-none-match": etag })).status).toBe(304);
  const missing = await read("/docs/%3Cscript%3E");
  expect(missing.status).toBe(404);
  expect(missing.text).not.toContain("<script>");
});

test("the docUrl of an error leads to its page", async () => {
  const { body } = await api.send("GET", "/v1/projects");
  expect(body.error.docUrl).toBe("http://platform.test/docs/errors/unauthenticated");
  const page = await read(new URL(body.error.docUrl).pathname);
  expect(page.text).toContain("<h1>unauthenticated</h1>");
});

test("an operation's page shows its call, its required scope, and its errors", async () => {
  const { text } = await read("/docs/projects.create.md");
  expect(text).toContain("`POST /v1/projects`");
  expect(text).toContain("Scope `projects:write`.");
  expect(text).toContain("| `name` | body | text, required | The project's name, 1 to 200 characters. |");
  expect(text).toContain(
    "| 409 | [already_exists](/docs/errors/already_exists) | A resource with this name exists. |",
  );
  expect(text).toContain(
    [
      'curl -X POST "http://platform.test/v1/projects" \\',
      '  -H "Authorization: Bearer $API_KEY" \\',
      '  -H "Idempotency-Key: $(uuidgen)" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d '{"name":"Web shop","description":"Orders and payments."}'`,
    ].join("\n"),
  );
});

test("llms.txt leads to every operation's Markdown", async () => {
  const { text, type } = await read("/llms.txt");
  expect(type).toBe("text/plain; charset=utf-8");
  const missing = apiOperations.filter(
    (operation) => !text.includes(`http://platform.test/docs/${operation.operationId}.md`),
  );
  expect(missing.map((operation) => operation.operationId)).toEqual([]);
});
