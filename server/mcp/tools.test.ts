import { expect, test } from "vitest";
import { operations } from "#server/operations.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";

const api = await startApi();

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

test("lists only the tools that the key can use, and names the missing scope when another is called", async () => {
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

test("finds, describes and uses the operations of managed services by their selectors", async () => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const found = await call("search_operations", { query: "managed memory list" });
  expect(found.body.operations[0].operation).toBe("services.invoke.managed-memory.list");
  const operation = "services.invoke.managed-memory.list";
  const described = await call("describe_operation", { operation });
  expect(described.body.operation).toMatchObject({
    tool: "execute_write",
    path: "/services/managed-memory/invoke",
    readOnly: true,
    price: { unit: "call", credits: 0 },
    inputSchema: { properties: { input: { type: "object" } } },
    outputSchema: { properties: { result: { type: "object" } } },
  });
  expect(described.body.operation.inputSchema.properties).not.toHaveProperty("serviceId");
  const listed = await call("execute_write", {
    operation,
    input: { input: {} },
    idempotencyKey: unique("mcp"),
  });
  expect(listed).toMatchObject({
    isError: false,
    body: { serviceId: "managed-memory", operationId: "list", result: { memories: [] }, chargedCredits: 0 },
    meta: { headers: { "x-service-credits-charged": "0" } },
  });
  const named = await call("services_invoke", {
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "nothing" },
    idempotencyKey: unique("mcp"),
  });
  expect(named.body.error.code).toBe("not_found");
  const faulty = await call("execute_write", {
    operation,
    input: { input: { limit: 0 } },
    idempotencyKey: unique("mcp"),
  });
  expect(faulty.body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "input.input.limit" }],
  });
});

test("lists services.invoke for a key that may invoke one operation of one service, and refuses it the others", async () => {
  const { key } = await api.createRootKey({
    allowedOperations: ["actions.list", "services.invoke.managed-memory.list"],
  });
  const { client, call } = await connectMcp(api.origin, key);
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  expect(names).toEqual([
    "search_operations",
    "describe_operation",
    "execute_read",
    "execute_write",
    "services_invoke",
  ]);
  const refused = await call("execute_write", {
    operation: "services.invoke.managed-memory.put",
    input: { input: { content: "x" } },
    idempotencyKey: unique("mcp"),
  });
  expect(refused.body.error).toMatchObject({ code: "operation_not_allowed", check: "operation" });
});

test("gives no two fields of an operation's path, query and body the same name", () => {
  for (const { operationId, params, query, body } of operations) {
    const names = [params, query, body].flatMap((schema) => Object.keys(schema?.shape ?? {}));
    expect(names, operationId).toEqual([...new Set(names)]);
  }
});

test("reports invalid arguments as a tool error, never as a protocol error", async () => {
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

test.each([
  ["a lone surrogate", "\udfff"],
  ["a NUL character", "a\u0000b"],
])("answers %s in place of any id with a fault of the caller's", async (_name, unfit) => {
  const { key } = await api.createRootKey();
  const { call } = await connectMcp(api.origin, key);
  const codes: Record<string, string> = {};
  for (const { operationId, method, params, surfaces, idempotent, examples } of operations) {
    const ids = Object.keys(params?.shape ?? {});
    if (ids.length === 0 || !surfaces.includes("mcp")) continue;
    const answer = await call(method === "GET" ? "execute_read" : "execute_write", {
      operation: operationId,
      input: { ...(examples?.body as object), ...Object.fromEntries(ids.map((id) => [id, unfit])) },
      ...(idempotent && { idempotencyKey: unique("mcp") }),
    });
    codes[operationId] = answer.body.error.code;
  }
  // Other faults are reported first.
  expect(new Set(Object.values(codes))).toEqual(new Set(["not_found", "invalid_request"]));
  expect(codes).toMatchObject({
    "services.invoke": "not_found",
    "projects.read": "not_found",
    "projects.archive": "not_found",
  });
});
