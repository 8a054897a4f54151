import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";

const DAY = 86_400_000;
const iso = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T00:00:00.000Z`;

/** Returns a deprecated operation for this test. */
function leaving(id: string, since: string, sunset: string) {
  return operation({
    id: `projects.${id}`,
    method: "GET",
    path: `/${id}`,
    summary: "List old projects",
    scope: "projects:read",
    query: z.object({ colour: z.enum(["red"]).optional().describe("A colour.") }),
    output: z.object({ still: z.boolean().describe("Whether it works.") }),
    deprecation: { since, sunset, successor: "projects.list", note: "Pages are newest first." },
    async handler() {
      return { still: true };
    },
  });
}

const since = iso(-10);
const sunset = iso(30);
const api = await startApi({
  extra: [
    leaving("deprecated", since, sunset),
    leaving("stopped", iso(-60), iso(-1)),
    leaving("declared", iso(10), iso(50)),
  ],
});
const { key } = await api.createRootKey();

const lifecycleOf = (headers: Headers) => ["deprecation", "sunset", "link"].map((name) => headers.get(name));
const declared = [
  `@${Date.parse(since) / 1000}`,
  new Date(sunset).toUTCString(),
  '<http://platform.test/docs/projects.list>; rel="successor-version"',
];

test("a deprecated operation works, and names its deprecation date, its sunset and its replacement", async () => {
  const { status, headers, body } = await api.send("GET", "/v1/deprecated", { key });
  expect([status, body]).toEqual([200, { ok: true, still: true }]);
  expect(lifecycleOf(headers)).toEqual(declared);
  expect(declared[0]).toMatch(/^@\d{10}$/);
  expect(declared[1]).toMatch(/^\w{3}, \d{2} \w{3} \d{4} 00:00:00 GMT$/);
});

test("says so on its errors too", async () => {
  const answers = await Promise.all([
    api.send("GET", "/v1/deprecated"),
    api.send("GET", "/v1/deprecated?colour=blue", { key }),
    api.send("GET", "/v1/deprecated?colour=red&colour=red", { key }),
    api.send("GET", "/v1/deprecated", { key, headers: { "x-service-project": "proj_none" } }),
    api.send("GET", "/v1/deprecated", { key, headers: { "x-service-end-user": "" } }),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([401, 400, 400, 404, 400]);
  for (const { headers } of answers) expect(lifecycleOf(headers)).toEqual(declared);
});

test("an operation whose deprecation is declared announces it already", async () => {
  const { status, headers } = await api.send("GET", "/v1/declared", { key });
  expect(status).toBe(200);
  expect(headers.get("sunset")).toBe(new Date(iso(50)).toUTCString());
});

test("answers 410 from its sunset on, to callers that may call it", async () => {
  const stopped = await api.send("GET", "/v1/stopped", { key });
  expect(stopped.status).toBe(410);
  expect(stopped.body.error).toMatchObject({
    code: "operation_sunset",
    operationState: "not_started",
    retryable: false,
  });
  expect(stopped.body.error.message).toBe(
    `projects.stopped stopped working on ${iso(-1)}. Use projects.list.`,
  );
  expect(stopped.headers.get("sunset")).toBe(new Date(iso(-1)).toUTCString());
  expect((await api.send("GET", "/v1/stopped")).status).toBe(401);
});

test("is marked as deprecated in the OpenAPI document", async () => {
  const { paths } = (await api.send("GET", "/openapi.json")).body;
  expect(paths["/deprecated"].get).toMatchObject({ deprecated: true, "x-sunset": sunset });
  expect(paths["/deprecated"].get.description).toContain(
    `Stops on ${sunset}; use \`projects.list\`. Pages are newest first.`,
  );
  expect(Object.keys(paths["/deprecated"].get.responses["200"].headers)).toEqual(
    expect.arrayContaining(["Deprecation", "Sunset", "Link"]),
  );
  expect(paths["/deprecated"].get["x-error-codes"]).toContain("operation_sunset");
  expect(paths["/projects"].get.deprecated).toBeUndefined();
});

test("is listed in the public changelog, with its replacement and its last day", async () => {
  const page = await fetch(`${api.origin}/docs/changelog.md`);
  const text = await page.text();
  expect(text).toContain(
    `## projects.deprecated is deprecated\n\n${since.slice(0, 10)}\n\nIt works until ${sunset}`,
  );
  expect(text).toContain("Use [projects.list](/docs/projects.list). Pages are newest first.");
  const html = await (await fetch(`${api.origin}/docs/changelog`)).text();
  expect(html).toContain('<a href="/docs/projects.list">projects.list</a>');
});
