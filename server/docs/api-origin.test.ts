import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const apiOrigin = "https://api.cells.test";
const own = "http://platform.test";
const api = await startApi({ settings: { apiOrigin } });

const read = async (path: string) => (await fetch(`${api.origin}${path}`)).text();

test("documents show the origin of the API that cells share, and link to the installation's own", async () => {
  const openapi = JSON.parse(await read("/openapi.json"));
  expect(openapi.servers).toMatchObject([{ url: `${apiOrigin}/v1` }]);
  expect(openapi.externalDocs.url).toBe(`${own}/docs`);
  for (const path of ["/docs.md", "/docs/first-key.md", "/docs/projects.create.md", "/docs/webhooks.md"]) {
    const page = await read(path);
    expect(page).toContain(apiOrigin);
    expect(page).not.toContain(own);
  }
  expect(await read("/llms.txt")).toContain(`(${own}/docs.md)`);
});

test("people and apps sign in at the installation's own origin", async () => {
  for (const path of ["/docs/connect-claude.md", "/docs/connect-an-app.md", "/docs/command-line.md"])
    expect(await read(path)).not.toContain(apiOrigin);
  const mcp = await read("/docs/mcp.md");
  expect(mcp).toContain(`${own}/mcp`);
  expect(mcp).toContain(`${apiOrigin}/mcp`);
});

test("pages of both origins may call MCP, and no others", async () => {
  const { key } = await api.createRootKey();
  const call = (origin: string) =>
    api.send("POST", "/mcp", {
      key,
      body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
      headers: { origin, accept: "application/json, text/event-stream" },
    });
  expect((await call(own)).status).toBe(200);
  expect((await call(apiOrigin)).status).toBe(200);
  expect((await call("https://elsewhere.test")).status).toBe(403);
});
