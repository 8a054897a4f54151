import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";

const api = await startApi();
const { db } = api.platform.database;
const PUT = "services.invoke.managed-memory.put";

async function balanceOf(key: string) {
  return (await api.send("GET", "/v1/credits/balance", { key })).body.balance;
}

function invoke(key: string, serviceId: string, body: unknown) {
  return api.send("POST", `/v1/services/${serviceId}/invoke`, { key, body });
}

test("charges exactly the price, and says so in body, header, ledger and audit", async () => {
  const { key, accountId } = await createPayingKey(api, 10);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const put = await invokeMemory(
    api,
    key,
    "put",
    { content: "a" },
    { headers: { "x-service-project": project } },
  );
  expect(put.body.chargedCredits).toBe(1);
  expect(put.headers.get("x-service-credits-charged")).toBe("1");
  const get = await invokeMemory(api, key, "list", {});
  expect(get.body.chargedCredits).toBe(0);
  expect(get.headers.get("x-service-credits-charged")).toBe("0");
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 9, reservedCredits: 0, totalCredits: 9 });
  const [charge] = await db.execute(sql`
    select operation, units, price_version, request_id, description, project_id from ledger_transactions
    where account_id = ${uuidOf("account", accountId)} and kind = 'usage'`);
  expect(charge).toEqual({
    operation: PUT,
    units: 1,
    price_version: "2026-11-23",
    request_id: put.headers.get("x-request-id"),
    description: "managed-memory put",
    project_id: uuidOf("project", project),
  });
  const [event] = await db.execute(sql`
    select operation, selector, charged_credits::int from audit_events
    where account_id = ${uuidOf("account", accountId)} and request_id = ${put.headers.get("x-request-id")}`);
  expect(event).toEqual({ operation: "services.invoke", selector: PUT, charged_credits: 1 });
});

test("refuses a call that the account can't pay, without any effect", async () => {
  const { key } = await api.createRootKey();
  const refused = await invokeMemory(api, key, "put", { name: "a", content: "a" });
  expect(refused.status).toBe(402);
  expect(refused.body.error).toMatchObject({
    code: "insufficient_credits",
    operationState: "not_started",
    retryable: false,
  });
  expect(refused.headers.get("payment-required")).toBeNull();
  expect(refused.headers.get("x-service-credits-charged")).toBeNull();
  const list = await invokeMemory(api, key, "list", {});
  expect(list.body.result.memories).toEqual([]);
});

test("lets parallel calls spend the last credit once, and stores only the paid result", async () => {
  const { key } = await createPayingKey(api, 3);
  const puts = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => invokeMemory(api, key, "put", { content: `${nth}` })),
  );
  expect(puts.filter((put) => put.status === 200)).toHaveLength(3);
  expect(puts.filter((put) => put.body.error?.code === "insufficient_credits")).toHaveLength(9);
  expect((await invokeMemory(api, key, "list", {})).body.result.memories).toHaveLength(3);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 0, totalCredits: 0 });
});

test("runs 20 parallel duplicates once, charges them once, and counts them once in the audit", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      invokeMemory(api, key, "put", { content: "once" }, { idempotencyKey: "duplicate-1" }),
    ),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.map((answer) => answer.headers.get("x-service-credits-charged"))).toEqual(
    Array(20).fill("1"),
  );
  expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(19);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 99 });
  expect((await invokeMemory(api, key, "list", {})).body.result.memories).toHaveLength(1);
  const [audited] = await db.execute(sql`
    select count(*)::int as calls, sum(charged_credits)::int as credits from audit_events
    where account_id = ${uuidOf("account", accountId)} and selector = ${PUT}`);
  expect(audited).toEqual({ calls: 20, credits: 1 });
});

test("charges nothing for a failure, and frees its idempotency key", async () => {
  const { key } = await createPayingKey(api, 10);
  const wrong = await invokeMemory(api, key, "put", { content: "" }, { idempotencyKey: "failing-1" });
  expect(wrong.status).toBe(400);
  const missing = await invokeMemory(api, key, "get", { name: "none" });
  expect(missing.status).toBe(404);
  const unfit = await invokeMemory(api, key, "search", { query: "-" });
  expect(unfit.status).toBe(400);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 10 });
  const right = await invokeMemory(api, key, "put", { content: "a" }, { idempotencyKey: "failing-1" });
  expect(right.status).toBe(200);
});

test("stops a day's credits at the cap of the key above, and names it", async () => {
  const root = await createPayingKey(api, 100, { limits: { "services.invoke": { creditsPerDay: 3 } } });
  const child = await api.createChild(root.key, { limits: { [PUT]: { creditsPerDay: 2 } } });
  const put = (key: string) => invokeMemory(api, key, "put", { content: "a" });
  const first = await put(child.key);
  expect(first.headers.get("ratelimit-policy")).toBe(
    '"services.invoke";q=3;w=86400, "services.invoke.managed-memory.put";q=2;w=86400',
  );
  expect(first.headers.get("ratelimit")).toMatch(
    /^"services\.invoke";r=2;t=\d+, "services\.invoke\.managed-memory\.put";r=1;t=\d+$/,
  );
  expect((await put(child.key)).status).toBe(200);
  const own = await put(child.key);
  expect(own.status).toBe(429);
  expect(own.body.error).toMatchObject({
    code: "limit_exhausted",
    check: "limit",
    keyId: child.apiKey.id,
    operationState: "not_started",
    retryable: true,
    limit: { operation: PUT, kind: "creditsPerDay", keyId: child.apiKey.id, limit: 2 },
  });
  expect(own.headers.get("x-service-limit-operation")).toBe(PUT);
  expect(own.body.error.limit.resetAt).toMatch(/T00:00:00\.000Z$/);
  const wait = Number(own.headers.get("retry-after"));
  expect(own.body.error.retryAfterSeconds).toBe(wait);
  expect(Math.abs(Date.parse(own.body.error.limit.resetAt) - Date.now() - wait * 1000)).toBeLessThan(3000);
  expect((await put(root.key)).status).toBe(200);
  const above = await put(child.key);
  expect(above.body.error.limit).toMatchObject({ operation: "services.invoke", keyId: root.apiKey.id });
  expect((await put(root.key)).status).toBe(429);
  expect((await invokeMemory(api, child.key, "list", {})).body.result.memories).toHaveLength(3);
  expect(await balanceOf(root.key)).toMatchObject({ availableCredits: 97, reservedCredits: 0 });
});

test("never passes a day's cap by parallel calls", async () => {
  const { key } = await createPayingKey(api, 100, { limits: { "*": { creditsPerDay: 5 } } });
  const puts = await Promise.all(
    Array.from({ length: 30 }, (_, nth) => invokeMemory(api, key, "put", { content: `${nth}` })),
  );
  expect(puts.filter((put) => put.status === 200)).toHaveLength(5);
  expect(puts.filter((put) => put.status === 429)).toHaveLength(25);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 95 });
});

test("counts a call that was refused for credits, but holds nothing for it", async () => {
  const { key } = await createPayingKey(api, 100, {
    limits: { [PUT]: { creditsPerDay: 1, requestsPerMinute: 3 } },
  });
  const kinds: string[] = [];
  for (let call = 0; call < 4; call++) {
    const put = await invokeMemory(api, key, "put", { content: "a" });
    kinds.push(put.body.error?.limit.kind ?? "done");
  }
  expect(kinds).toEqual(["done", "creditsPerDay", "creditsPerDay", "requestsPerMinute"]);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 99, reservedCredits: 0 });
});

test("tells an unknown service: 404 to a key without a boundary, 403 to one with", async () => {
  const { key } = await createPayingKey(api, 10);
  const bounded = await api.createChild(key, { allowedServices: ["managed-memory"] });
  const body = { operationId: "put", input: {} };
  const open = await invoke(key, "no-such-service", body);
  expect(open.body.error).toMatchObject({
    status: 404,
    code: "not_found",
    message: "No service no-such-service.",
  });
  const closed = await invoke(bounded.key, "no-such-service", body);
  expect(closed.body.error).toMatchObject({ status: 403, code: "service_not_allowed", check: "service" });
  const operation = await invoke(key, "managed-memory", { operationId: "nothing", input: {} });
  expect(operation.body.error).toMatchObject({
    status: 404,
    code: "not_found",
    message: 'Service managed-memory has no operation "nothing".',
  });
});

test("judges by the exact operation that the body names", async () => {
  const { key } = await createPayingKey(api, 10);
  const reader = await api.createChild(key, {
    allowedOperations: ["services.invoke.managed-memory.get", "services.invoke.managed-memory.list"],
  });
  expect((await invokeMemory(api, reader.key, "list", {})).status).toBe(200);
  const put = await invokeMemory(api, reader.key, "put", { content: "a" });
  expect(put.body.error).toMatchObject({
    status: 403,
    code: "operation_not_allowed",
    check: "operation",
    keyId: reader.apiKey.id,
  });
  const unreadable = await invoke(reader.key, "managed-memory", { input: {} });
  expect(unreadable.body.error).toMatchObject({ status: 400, issues: [{ path: "body.operationId" }] });
  const scopeless = await api.createChild(key, { scopes: ["services:read"] });
  const denied = await invokeMemory(api, scopeless.key, "put", { content: "a" });
  expect(denied.body.error).toMatchObject({ status: 403, code: "scope_missing", check: "scope" });
});

test("names the endpoint of an operation that is not invoked", async () => {
  const { key } = await createPayingKey(api, 10);
  const described = await invoke(key, "platform-api", { operationId: "projects.update", input: {} });
  expect(described.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    message:
      "body.operationId: projects.update has an endpoint of its own: PATCH /v1/projects/{projectId}. It is not invoked.",
  });
  const durable = await invoke(key, "managed-memory", { operationId: "export", input: {} });
  expect(durable.body.error).toMatchObject({
    status: 400,
    message: "body.operationId: managed-memory export only runs durably: POST /v1/runs.",
  });
  const wallets = await invoke(key, "managed-wallets", { operationId: "wallets.list", input: {} });
  expect(wallets.body.error).toMatchObject({
    status: 400,
    message: "body.operationId: wallets.list has an endpoint of its own: GET /v1/wallets. It is not invoked.",
  });
});

test.each([
  ["an approval where none is needed", { approvalId: "appr_01jzzzzzzzzzzzzzzzzzzzzzzz" }, "body.approvalId"],
  [
    "a connection where none is used",
    { connectionId: "conn_01jzzzzzzzzzzzzzzzzzzzzzzz" },
    "body.connectionId",
  ],
  ["an unknown field", { price: 0 }, "body.price"],
  ["a price of the client's", { chargedCredits: 0 }, "body.chargedCredits"],
  ["no input", { input: undefined }, "body.input"],
])("refuses %s", async (_, extra, path) => {
  const { key } = await createPayingKey(api, 10);
  const refused = await invoke(key, "managed-memory", {
    operationId: "put",
    input: { content: "a" },
    ...extra,
  });
  expect(refused.body.error).toMatchObject({ status: 400, code: "invalid_request", issues: [{ path }] });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 10 });
});

test("seals the stored response of a strict key's call", async () => {
  const { key, accountId } = await createPayingKey(api, 10, { privacyTier: "strict" });
  const idempotencyKey = "strict-put-1";
  const put = await invokeMemory(api, key, "put", { content: "confidential words" }, { idempotencyKey });
  const [record] = await db.execute<{ body: Uint8Array }>(sql`
    select body from idempotency_records where account_id = ${uuidOf("account", accountId)} and key = ${idempotencyKey}`);
  expect(Buffer.from(record?.body ?? []).includes("confidential")).toBe(false);
  const again = await invokeMemory(api, key, "put", { content: "confidential words" }, { idempotencyKey });
  expect(again.body).toEqual(put.body);
});
