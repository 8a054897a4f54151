import { z } from "zod";
import { etagOf, isFresh } from "#server/base/etag.ts";
import { type HttpRequest, type HttpResponse, reply, toFetchResponse } from "#server/base/http-message.ts";
import type { Operation } from "#server/operation/operation.ts";
import { apiOperations } from "#server/operations.ts";
import { platform, type Settings } from "#server/platform.ts";
import { WORKFLOW_SCHEMA_PATH, Workflow } from "#server/workflows/schema.ts";
import { readFonts, SAMPLES_SCRIPT, SEARCH_SCRIPT, STYLESHEET } from "./assets.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";
import { llmsText, navigationOf, pagesOf } from "./pages.ts";

type Question = Pick<HttpRequest, "method" | "url" | "headers">;

interface Document {
  type: string;
  content: string | Buffer;
  etag: string;
}

// The pages have only these two scripts, and contain no customer's text. Browsers' audits fetch /robots.txt from the page.
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function documentOf(type: string, text: string): Document {
  return { type: `${type}; charset=utf-8`, content: text, etag: etagOf(text) };
}

function documentsOf(
  operations: readonly Operation[],
  { baseUrl, apiOrigin }: Pick<Settings, "baseUrl" | "apiOrigin">,
): Map<string, Document> {
  const sections = navigationOf(operations, baseUrl);
  return new Map([
    ["/docs/reference.css", documentOf("text/css", STYLESHEET)],
    ["/docs/samples.js", documentOf("text/javascript", SAMPLES_SCRIPT)],
    ["/docs/search.js", documentOf("text/javascript", SEARCH_SCRIPT)],
    ...readFonts().map(([path, content]): [string, Document] => [
      path,
      { type: "font/woff2", content, etag: etagOf(content) },
    ]),
    [WORKFLOW_SCHEMA_PATH, documentOf("application/schema+json", workflowSchema(baseUrl))],
    ["/llms.txt", documentOf("text/plain", llmsText(operations, baseUrl))],
    ...pagesOf(operations, baseUrl, apiOrigin).flatMap((page): [string, Document][] => [
      [page.path, documentOf("text/html", toHtml(page, sections))],
      [`${page.path}.md`, documentOf("text/markdown", toMarkdown(page))],
    ]),
  ]);
}

/** Returns the JSON Schema of workflows, for editors and generators. */
function workflowSchema(baseUrl: string): string {
  const { $schema, ...schema } = z.toJSONSchema(Workflow, { io: "input" });
  return JSON.stringify({ $schema, $id: `${baseUrl}${WORKFLOW_SCHEMA_PATH}`, ...schema }, null, 2);
}

/** Returns the handler of `/docs`, `/docs.md` and `/llms.txt` over these operations; renders all pages once. */
export function createDocsHandler(operations: readonly Operation[]) {
  let documents: Map<string, Document> | undefined;

  return async function handle(request: Question): Promise<HttpResponse> {
    documents ??= documentsOf(operations, platform().settings);
    const path = new URL(request.url).pathname.replace(/(?<=.)\/$/, "");
    const head = request.method === "HEAD";
    if (!head && request.method !== "GET")
      return reply("The reference is read by GET.\n", {
        status: 405,
        headers: { allow: "GET, HEAD", "content-type": "text/plain" },
      });
    const found = documents.get(path);
    const { type, content, etag } =
      found ?? missing(path, navigationOf(operations, platform().settings.baseUrl));
    const headers = {
      etag,
      "cache-control": "public, max-age=60",
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    };
    if (found && isFresh(request.headers["if-none-match"] ?? null, etag))
      return reply(null, { status: 304, headers });
    return reply(head ? null : content, {
      status: found ? 200 : 404,
      headers: { ...headers, "content-type": type },
    });
  };
}

function missing(path: string, sections: Parameters<typeof toHtml>[1]): Document {
  const page = {
    path: "/docs",
    title: "No such page",
    lead: `The reference has no page ${path}.`,
    blocks: [],
  };
  return documentOf("text/html", toHtml(page, sections));
}

const handle = createDocsHandler(apiOperations);

/** Serves the reference of the whole API, for route files of Next.js. */
export async function handleDocs({ method, url, headers }: Request): Promise<Response> {
  return toFetchResponse(await handle({ method, url, headers: Object.fromEntries(headers) }));
}
