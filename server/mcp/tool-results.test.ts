import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";

const readLarge = operation({
  id: "test.large",
  method: "GET",
  path: "/test-large",
  summary: "Read a large text",
  scope: "projects:read",
  output: z.object({ text: z.string(), note: z.string() }),
  async handler() {
    return { text: '"é'.repeat(100_000), note: "short" };
  },
});

const api = await startApi({ extra: [readLarge] });

test("reads every list of the account as /v1 does", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const lists = everyApiOperation.filter(({ method, path, output }) => {
    const isList = method === "GET" && "nextCursor" in output.shape;
    return isList && !path.includes("{");
  });
  for (const { id, path } of lists) {
    const { body } = await api.send("GET", `/v1${path}`, { key });
    const called = await call("execute_read", { operation: id, input: {} });
    expect({ id, fields: Object.keys(called.body) }).toEqual({ id, fields: Object.keys(body) });
  }
});

test("ends a page before its result exceeds 100 KB, and its cursor continues from there", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const metadata = { filler: '"'.repeat(7_000) };
  for (let index = 0; index < 12; index++) {
    await api.send("POST", "/v1/projects", { key, body: { name: `Large ${index}`, metadata } });
  }
  const names: string[] = [];
  for (let cursor: string | undefined, pages = 0; cursor !== null && pages < 12; pages++) {
    const page = await call("projects_list", { limit: 100, ...(cursor && { cursor }) });
    expect(page.bytes).toBeLessThanOrEqual(102_400);
    names.push(...page.body.projects.map((project: { name: string }) => project.name));
    cursor = page.body.nextCursor;
  }
  expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `Large ${11 - index}`));
});

test("shows the beginning of an answer that no page could shorten, and says so", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const large = await call("execute_read", { operation: "test.large" });
  expect(large.isError).toBe(false);
  expect(large.bytes).toBeLessThanOrEqual(102_400);
  expect(large.body).toMatchObject({
    ok: true,
    note: "short",
    truncated: { bytes: 400_036, omitted: ["text"], hint: expect.stringContaining("Ask for less") },
  });
});

test("bounds an error that quotes the input", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const projectId = "x".repeat(300_000);
  const missing = await call("execute_read", { operation: "projects.read", input: { projectId } });
  expect(missing.body.error.code).toBe("not_found");
  expect(missing.bytes).toBeLessThan(10_000);
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]));
  const faulty = await call("projects_list", unknown);
  expect(faulty.body.error.issues).toHaveLength(20);
});
