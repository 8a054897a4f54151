import { expect, test } from "vitest";
import { uuidOf } from "#server/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { connectMcp, GENERATIONS, type Generation } from "#server/testing/mcp-client.ts";

const api = await startApi();
const generations = Object.keys(GENERATIONS) as Generation[];

/** A message that is answered with 202 alone, sent without a client. */
function post(headers: Record<string, string> = {}) {
  return api.send("POST", "/mcp", {
    idempotencyKey: null,
    body: { jsonrpc: "2.0", method: "notifications/initialized" },
    headers: { accept: "application/json, text/event-stream", ...headers },
  });
}

test.each(generations)("speaks %s with the official client", async (generation) => {
  const { key } = await api.createRootKey();
  const { client, call } = await connectMcp(api.origin, key, generation);
  expect(client.getNegotiatedProtocolVersion()).toBe(generation);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).slice(0, 4)).toEqual([
    "search_operations",
    "describe_operation",
    "execute_read",
    "execute_write",
  ]);
  const created = await call("execute_write", {
    operation: "projects.create",
    input: { name: "Web shop" },
    idempotencyKey: unique("mcp"),
  });
  expect(created).toMatchObject({
    isError: false,
    body: { ok: true, project: { name: "Web shop", slug: "web-shop" } },
    meta: { status: 201 },
  });
  expect(JSON.parse(created.text)).toEqual(created.body);
  const { id } = created.body.project;
  const read = await call("execute_read", { operation: "projects.read", input: { projectId: id } });
  expect(read.body.project).toEqual(created.body.project);
  const listed = await call("projects_list", { limit: 1 });
  expect(listed.body.projects).toEqual([created.body.project]);
  await client.close();
});

test("declares title, description, hints and an object schema of every tool, at most twelve", async () => {
  const { key } = await api.createRootKey();
  const { client } = await connectMcp(api.origin, key);
  const { tools } = await client.listTools();
  expect(tools.length).toBeLessThanOrEqual(12);
  for (const tool of tools) {
    expect(tool).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
      inputSchema: { type: "object" },
      annotations: {
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: true,
        openWorldHint: expect.any(Boolean),
      },
    });
  }
  const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
  expect(hints.execute_read).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(hints.execute_write).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

test("finds operations by words, typos included, and says whether the key may use them", async () => {
  const { key } = await api.createRootKey({ scopes: ["services:read", "projects:read"] });
  const { call } = await connectMcp(api.origin, key);
  const found = await call("search_operations", { query: "create a projct" });
  expect(found.body.operations[0]).toEqual({
    operation: "projects.create",
    title: "Create a project",
    kind: "write",
    allowed: false,
    deniedBy: { check: "scope", keyId: expect.stringMatching(/^key_/) },
  });
  const allowed = await call("search_operations", { query: "project", kind: "read", allowed: true });
  expect(allowed.body.operations.map((one: { operation: string }) => one.operation).sort()).toEqual([
    "projects.list",
    "projects.read",
  ]);
});

test("pages through the whole catalogue", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const names: string[] = [];
  for (let cursor: string | undefined, pages = 0; cursor !== null && pages < 100; pages++) {
    const page = await call("search_operations", { limit: 3, ...(cursor && { cursor }) });
    names.push(...page.body.operations.map((one: { operation: string }) => one.operation));
    cursor = page.body.nextCursor;
  }
  expect(names).toContain("projects.archive");
  expect(new Set(names).size).toBe(names.length);
  const whole = await call("search_operations", { limit: 100 });
  expect(
    whole.body.operations.map((one: { operation: string }) => one.operation).slice(0, names.length),
  ).toEqual(names.slice(0, 100));
});

test("describes an operation with the schemas of its merged input and of its answer", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const { body } = await call("describe_operation", { operation: "projects.update" });
  expect(body.operation).toMatchObject({
    name: "projects.update",
    tool: "execute_write",
    scope: "projects:write",
    idempotencyKeyRequired: true,
    allowed: true,
    deniedBy: null,
    inputSchema: { type: "object", required: ["projectId"] },
    outputSchema: { type: "object", required: ["project"] },
  });
  expect(Object.keys(body.operation.inputSchema.properties)).toEqual([
    "projectId",
    "name",
    "slug",
    "description",
    "metadata",
  ]);
});

test("lists only the tools that the key can use, and tells at a call of another what is missing", async () => {
  const { key } = await api.createRootKey({ scopes: ["services:read"] });
  const { client, call } = await connectMcp(api.origin, key);
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  expect(names).toContain("search_operations");
  expect(names).not.toContain("execute_write");
  expect(names).not.toContain("projects_list");
  const refused = await call("projects_list");
  expect(refused).toMatchObject({
    isError: true,
    body: { ok: false, error: { code: "scope_missing", check: "scope", operationState: "not_started" } },
  });
  expect(refused.text).toContain("scope_missing: Key key_");
});

test("repeats a write under its idempotencyKey once, over HTTP too", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const idempotencyKey = unique("mcp");
  const write = { operation: "projects.create", input: { name: "Once" }, idempotencyKey };
  const [first, second] = await Promise.all([call("execute_write", write), call("execute_write", write)]);
  expect(second.body).toEqual(first.body);
  expect([first, second].filter((one) => one.meta.headers["idempotent-replayed"] === "true")).toHaveLength(1);
  const http = await api.send("POST", "/v1/projects", { key, idempotencyKey, body: { name: "Once" } });
  expect(http.headers.get("idempotent-replayed")).toBe("true");
  expect(http.body).toEqual(first.body);
  const other = await call("execute_write", { ...write, input: { name: "Twice" } });
  expect(other.body.error).toMatchObject({
    code: "idempotency_key_reused",
    issues: [{ path: "idempotencyKey" }],
  });
});

test("asks for an idempotencyKey in a write", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const missing = await call("execute_write", { operation: "projects.create", input: { name: "No key" } });
  expect(missing.isError).toBe(true);
  expect(missing.body.error).toMatchObject({
    code: "idempotency_key_required",
    operationState: "not_started",
    issues: [{ path: "idempotencyKey" }],
  });
  expect(missing.text).toMatch(/^idempotency_key_required: .*idempotencyKey/);
});

test("names the faulty fields as the model sent them, all at once", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const write = await call("execute_write", {
    operation: "projects.create",
    input: { name: "", slug: "Not A Slug", color: "red" },
    idempotencyKey: unique("mcp"),
  });
  expect(write.body.error.code).toBe("invalid_request");
  expect(write.body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([
    "input.name",
    "input.slug",
    "input.color",
  ]);
  expect(write.text).toContain("input.slug");
  const named = await call("projects_list", { limit: 1000 });
  expect(named.body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "limit" }] });
  const odd = await call("projects_list", { limit: { toString: 1, valueOf: 1 } });
  expect(odd.body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "limit" }] });
  const without = await call("execute_read", { operation: "projects.read" });
  expect(without.body.error.issues).toMatchObject([{ path: "input.projectId" }]);
  const misplaced = await call("execute_read", { operation: "projects.list", limit: 3 });
  expect(misplaced.body.error.issues).toEqual([{ path: "limit", message: "Unknown field." }]);
});

test("names the operations near an unknown one", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const { body, text } = await call("execute_read", { operation: "project.lists" });
  expect(body.error).toMatchObject({ code: "not_found", issues: [{ path: "operation" }] });
  expect(text).toContain("No operation project.lists. Near it: projects.list");
});

test("keeps reads and writes apart", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const write = await call("execute_read", { operation: "projects.create", input: { name: "x" } });
  expect(write.body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "operation" }] });
  expect(write.text).toContain("Call execute_write");
  const read = await call("execute_write", { operation: "projects.list", idempotencyKey: unique("mcp") });
  expect(read.text).toContain("Call execute_read");
});

test("ends a page where its result would pass 100 KB, and its cursor goes on from there", async () => {
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

test("counts each message on actions.list, and each call on its own operation", async () => {
  const { key } = await api.createRootKey({
    limits: { "actions.list": { requestsPerMinute: 6 }, "projects.list": { requestsPerMinute: 2 } },
  });
  const { call } = await connectMcp(api.origin, key);
  expect((await call("projects_list")).isError).toBe(false);
  expect((await call("projects_list")).isError).toBe(false);
  const limited = await call("projects_list");
  expect(limited.body.error).toMatchObject({
    code: "limit_exhausted",
    limit: { operation: "projects.list", kind: "requestsPerMinute", limit: 2 },
  });
  expect(limited.text).toMatch(/Try again after \d+ s\./);
  expect((await post({ authorization: `Bearer ${key}` })).status).toBe(202);
  expect((await post({ authorization: `Bearer ${key}` })).headers.get("ratelimit")).toMatch(
    /^"actions.list";r=0;t=\d+$/,
  );
  const atTheDoor = await post({ authorization: `Bearer ${key}` });
  expect(atTheDoor.status).toBe(429);
  expect(atTheDoor.headers.get("x-service-limit-operation")).toBe("actions.list");
  expect(atTheDoor.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(atTheDoor.body.error.code).toBe("limit_exhausted");
});

test("works under one place at a time for everything", async () => {
  const { key } = await api.createRootKey({ limits: { "*": { maxConcurrent: 1 } } });
  const { call } = await connectMcp(api.origin, key);
  expect((await call("projects_list")).isError).toBe(false);
});

test("refuses a revoked key at its next message", async () => {
  const { key: parent } = await api.createRootKey();
  const { key, apiKey } = await api.createChild(parent);
  const { call } = await connectMcp(api.origin, key);
  expect((await call("projects_list")).isError).toBe(false);
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: parent });
  const refused = await post({ authorization: `Bearer ${key}` });
  expect(refused.status).toBe(401);
  expect(refused.body.error.code).toBe("api_key_revoked");
  await expect(call("projects_list")).rejects.toThrow();
});

test("answers 401 with WWW-Authenticate without a key, 403 without scope or operation", async () => {
  const none = await post();
  expect(none.status).toBe(401);
  expect(none.headers.get("x-request-id")).toBe(none.body.error.requestId);
  expect(none.headers.get("www-authenticate")).toBe("Bearer");
  expect(none.body).toMatchObject({ ok: false, error: { code: "unauthenticated" } });
  const { key: scopeless } = await api.createRootKey({ scopes: ["projects:read"] });
  const scope = await post({ authorization: `Bearer ${scopeless}` });
  expect(scope.status).toBe(403);
  expect(scope.body.error).toMatchObject({ code: "scope_missing", check: "scope" });
  const { key: narrow } = await api.createRootKey({ allowedOperations: ["projects.list"] });
  const operation = await post({ authorization: `Bearer ${narrow}` });
  expect(operation.status).toBe(403);
  expect(operation.body.error).toMatchObject({ code: "operation_not_allowed", check: "operation" });
});

test("refuses a foreign Origin, and takes the platform's own", async () => {
  const { key } = await api.createRootKey();
  const authorization = `Bearer ${key}`;
  const foreign = await post({ authorization, origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(foreign.body.error.code).toBe("policy_denied");
  expect((await post({ authorization, origin: "null" })).status).toBe(403);
  expect((await post({ authorization, origin: "http://platform.test" })).status).toBe(202);
});

test("holds no sessions: GET and DELETE are 405, other paths 404", async () => {
  const { key } = await api.createRootKey();
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
    const answer = await api.send(method, "/mcp", { key });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.body.error.code).toBe("method_not_allowed");
  }
  expect((await api.send("POST", "/mcp/other", { key })).status).toBe(404);
});

test("tells what is no message in JSON-RPC, with the platform's error beside it", async () => {
  const { key } = await api.createRootKey();
  const headers = { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" };
  const send = async (body: BodyInit, type = "application/json") => {
    const answer = await fetch(`${api.origin}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-type": type },
      body,
    });
    return {
      status: answer.status,
      requestId: answer.headers.get("x-request-id"),
      body: await answer.json(),
    };
  };
  const broken = await send('{"jsonrpc": "2.0", ');
  expect(broken.status).toBe(400);
  expect(broken.body).toMatchObject({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, data: { code: "invalid_json", requestId: broken.requestId } },
  });
  expect((await send(new Uint8Array([0x22, 0xff, 0x22]))).body.error.data.code).toBe("invalid_json");
  expect(await send("{}", "text/plain")).toMatchObject({
    status: 415,
    body: { error: { data: { code: "unsupported_media_type" } } },
  });
  expect(await send(`"${"x".repeat(1_100_000)}"`)).toMatchObject({
    status: 413,
    body: { error: { code: -32600, data: { code: "payload_too_large" } } },
  });
});

test("gets what no operation takes as a tool error, never a failure", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const deep = JSON.parse("[".repeat(100) + "]".repeat(100));
  const inputs: Record<string, unknown>[] = [
    { name: "a\u0000b" },
    { name: "\ud800" },
    { name: "x", metadata: { deep } },
    { name: key },
    { name: ["x"] },
  ];
  for (const input of inputs) {
    const answer = await call("execute_write", {
      operation: "projects.create",
      input,
      idempotencyKey: unique("mcp"),
    });
    expect(answer.isError).toBe(true);
    expect(answer.meta.status).toBe(400);
  }
  expect((await call("projects_list")).body.projects).toEqual([]);
});

test("audits the message and the call by their own operations", async () => {
  const { key, accountId } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key, "2025-11-25");
  await call("projects_list");
  const { client } = api.platform.database;
  const rows = await client<{ operation: string; status: number }[]>`
    select operation, status from audit_events where account_id = ${uuidOf("account", accountId)}
    order by id desc limit 2`;
  expect(rows).toEqual([
    { operation: "projects.list", status: 200 },
    { operation: "actions.list", status: 200 },
  ]);
});
