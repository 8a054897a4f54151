import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { connectMcp, GENERATIONS } from "#server/testing/mcp-client.ts";

const api = await startApi();
const generations = keysOf(GENERATIONS);

/** Sends a message whose only response is 202, without a client. */
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
  const refused = await post({ authorization: `Bearer ${key}` });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-service-limit-operation")).toBe("actions.list");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.body.error.code).toBe("limit_exhausted");
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

test("reports an invalid message in JSON-RPC, together with the platform's error", async () => {
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
