import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import type { Behaviour } from "#server/testing/peer.ts";
import { RESERVE, RESERVED, SECRET, startOperatorServices } from "#server/testing/peer-services.ts";

const { api, serve, briefIds } = await startOperatorServices();
const { db } = api.platform.database;

test("calls the documented example over HTTP, which verifies the platform's signature", async () => {
  const { key, accountId } = await createPayingKey(api, 10);
  const answer = await api.send("POST", "/v1/services/example-desk/invoke", {
    key,
    body: { operationId: "greet", input: { name: "Ada" } },
    headers: { "x-service-end-user": "customer-7" },
  });
  expect(answer.body).toEqual({
    ok: true,
    serviceId: "example-desk",
    operationId: "greet",
    upstreamStatus: 200,
    result: { greeting: "Hello, Ada (customer-7)." },
    chargedCredits: 2,
  });
  expect(answer.headers.get("x-service-credits-charged")).toBe("2");
  const requestId = answer.headers.get("x-request-id");
  expect(answer.headers.get("x-service-upstream-request-id")).toBe(`example-${requestId}`);
  const [charge] =
    await db.execute(sql`select operation, units, price_version, request_id from ledger_transactions
    where account_id = ${uuidOf("account", accountId)} and kind = 'usage'`);
  expect(charge).toEqual({
    operation: "services.invoke.example-desk.greet",
    units: 1,
    price_version: expect.stringMatching(/^example-desk-[0-9a-f]{12}$/),
    request_id: requestId,
  });
  const counted = await api.send("POST", "/v1/services/example-desk/invoke", {
    key,
    body: { operationId: "count", input: { text: "three short words" } },
  });
  expect(counted.body.error.code).toBe("insufficient_credits");
});

test("offers the operator's services as its own: listed, described, priced, bounded", async () => {
  const { key } = await createPayingKey(api, 100);
  const { capabilities } = (await api.send("GET", "/v1/capabilities/example-desk", { key })).body;
  expect(capabilities[1]).toMatchObject({
    operationId: "count",
    inputSchema: { type: "object", required: ["text"], additionalProperties: false },
    price: { unit: "word", credits: 1, maximum: 50 },
    selectors: ["services.invoke.example-desk.count", "runs.create.example-desk.count"],
  });
  const { pricing } = (await api.send("GET", "/v1/pricing")).body;
  expect(pricing.services.find(({ id }: { id: string }) => id === "example-desk").operations[0]).toEqual({
    operationId: "greet",
    unit: "call",
    credits: 2,
    maximum: 2,
  });
  const counter = await api.createChild(key, { allowedOperations: ["services.invoke.example-desk.count"] });
  const invoke = (operationId: string, input: unknown) =>
    api.send("POST", "/v1/services/example-desk/invoke", { key: counter.key, body: { operationId, input } });
  expect((await invoke("count", { text: "three short words" })).body.chargedCredits).toBe(3);
  expect((await invoke("greet", { name: "Ada" })).body.error.code).toBe("operation_not_allowed");
  const faulty = await invoke("count", { text: 5, loud: true });
  expect(faulty.body.error).toMatchObject({
    code: "invalid_request",
    issues: expect.arrayContaining([
      { path: "body.input.text", message: "It must be string." },
      { path: "body.input.loud", message: "Unknown field." },
    ]),
  });
  expect((await invoke("no-such", {})).status).toBe(403);
});

test("sends the call signed, with the request's id and an idempotency key", async () => {
  const desk = await serve(() => ({ body: RESERVED }));
  const answer = await desk.invoke();
  const [call] = desk.received();
  expect(new Webhook(SECRET).verify(call?.body ?? "", call?.headers as never)).toEqual({
    ...RESERVE,
    context: {
      accountId: desk.accountId,
      projectId: null,
      endUser: null,
      requestId: answer.headers.get("x-request-id"),
    },
  });
  expect(call).toMatchObject({
    method: "POST",
    path: `/${desk.serviceId}/reserve`,
    headers: {
      "x-request-id": answer.headers.get("x-request-id"),
      "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  expect(call?.headers.authorization).toBeUndefined();
});

test.each([
  ["above the maximum", "51"],
  ["negative", "-1"],
  ["no number", "many"],
  ["said twice", "1, 2"],
])("charges nothing where the reported charge is %s", async (_, charged) => {
  const desk = await serve(() => ({
    body: { words: 1 },
    headers: { "x-service-credits-charged": charged, "x-request-id": "theirs" },
  }));
  const answer = await desk.invoke({ operationId: "count", input: { text: "a" } });
  expect(answer.body.error).toMatchObject({ status: 502, code: "service_failed", operationState: "unknown" });
  expect(answer.headers.get("x-service-credits-charged")).toBeNull();
  expect(answer.headers.get("x-service-upstream-request-id")).toBe("theirs");
  expect(await desk.balance()).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
});

test("charges the price for an exact unit, whatever is reported, and the price if nothing is reported", async () => {
  const desk = await serve(() => ({ body: RESERVED, headers: { "x-service-credits-charged": "4" } }));
  expect((await desk.invoke()).body.error).toMatchObject({
    code: "service_failed",
    message: `Service ${desk.serviceId} reported a charge of 4 credits for a call that costs exactly 5. Nothing was charged.`,
  });
  desk.behave(() => ({ body: RESERVED, headers: { "x-service-credits-charged": "5" } }));
  expect((await desk.invoke()).body.chargedCredits).toBe(5);
  desk.behave(() => ({ status: 201, body: RESERVED }));
  expect((await desk.invoke()).body).toMatchObject({ chargedCredits: 5, upstreamStatus: 201 });
  expect(await desk.balance()).toMatchObject({ availableCredits: 90, reservedCredits: 0 });
});

test.each([
  [
    "a refusal",
    { status: 404, body: { error: { message: "No such chair." } } },
    { status: 502, code: "service_failed", operationState: "not_started" },
    /^Service peer-\d+ answered 404: No such chair\.$/,
  ],
  [
    "a failure",
    { status: 500, body: { message: `leaks ${SECRET}` } },
    { status: 502, code: "service_failed", operationState: "unknown" },
    /^Service peer-\d+ answered 500\.$/,
  ],
  [
    "a redirect",
    { status: 302, headers: { location: "http://127.0.0.1:9/" } },
    { status: 502, code: "service_failed", operationState: "not_started" },
    /answered 302\.$/,
  ],
  [
    "JSON without end",
    { body: "[".repeat(300_000) + "]".repeat(300_000) },
    { status: 502, code: "service_failed", operationState: "unknown" },
    /answered no JSON that is nested at most 64 levels deep/,
  ],
  [
    "no JSON",
    { body: "<html>" },
    { status: 502, code: "service_failed", operationState: "unknown" },
    /answered no JSON/,
  ],
  [
    "an answer against its schema",
    { body: { ...RESERVED, quantity: "one" } },
    { status: 502, code: "service_failed", operationState: "unknown" },
    /answered against its outputSchema \(result\.quantity: It must be integer\)/,
  ],
  [
    "a limit",
    { status: 429, headers: { "retry-after": "17" } },
    { status: 429, code: "service_rate_limited", operationState: "not_started", retryAfterSeconds: 17 },
    /answered 429\.$/,
  ],
  [
    "a rest",
    { status: 503, headers: { "retry-after": "Fri, 31 Dec 2100 23:59:59 GMT" } },
    { status: 503, code: "service_unavailable", operationState: "not_started", retryAfterSeconds: 86_400 },
    /answered 503\.$/,
  ],
])("tells %s of the service, and charges nothing", async (_, answer, expected, message) => {
  const desk = await serve(() => answer);
  const { body, headers } = await desk.invoke(RESERVE, { idempotencyKey: "the-same-key" });
  expect(body.error).toMatchObject({ ...expected, message: expect.stringMatching(message) });
  expect(headers.get("retry-after")).toBe(
    "retryAfterSeconds" in expected ? String(expected.retryAfterSeconds) : null,
  );
  expect(await desk.balance()).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  desk.behave(() => ({ body: RESERVED }));
  expect((await desk.invoke(RESERVE, { idempotencyKey: "the-same-key" })).status).toBe(200);
  expect(new Set(desk.received().map((call) => call.headers["idempotency-key"])).size).toBe(1);
});

test("answers a service's numbers with the digits that it wrote", async () => {
  const { key, serviceId } = await serve(() => ({
    body: '{"id":"r-1","item":"chair","quantity":1234567890123456789}',
  }));
  const answer = await fetch(`${api.origin}/v1/services/${serviceId}/invoke`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": unique("digits"),
    },
    body: JSON.stringify(RESERVE),
  });
  expect(await answer.text()).toContain('"quantity":1234567890123456789}');
});

test("sends nothing that the account can't pay at its dearest", async () => {
  const desk = await serve(() => ({ body: { words: 1 } }), { credits: 49 });
  const refused = await desk.invoke({ operationId: "count", input: { text: "a" } });
  expect(refused.body.error).toMatchObject({ status: 402, code: "insufficient_credits" });
  expect(desk.received()).toEqual([]);
});

test("makes one call of parallel duplicates", async () => {
  const desk = await serve(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { body: RESERVED, headers: { "x-request-id": "theirs" } };
  });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => desk.invoke(RESERVE, { idempotencyKey: "duplicate-1" })),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.map(({ headers }) => headers.get("x-service-upstream-request-id"))).toEqual(
    Array(10).fill("theirs"),
  );
  expect(desk.received()).toHaveLength(1);
  expect(await desk.balance()).toMatchObject({ availableCredits: 95, reservedCredits: 0 });
});

test.each([
  ["does not answer in time", "hang", 504, "service_timeout"],
  ["loses the connection", "reset", 502, "service_failed"],
] as const)(
  "keeps a call in doubt that a service which %s may have executed, and executes it once",
  async (_, how, status, code) => {
    const done = new Map<unknown, unknown>();
    let answers: boolean = false;
    const behave: Behaviour = ({ headers }) => {
      const key = headers["idempotency-key"];
      if (!done.has(key)) done.set(key, RESERVED);
      // The first time it executes, but its response is lost.
      return answers ? { body: done.get(key) } : how;
    };
    const desk = await serve(behave, { from: briefIds });
    const call = { idempotencyKey: unique("in-doubt") };
    const lost = await desk.invoke(RESERVE, call);
    expect(lost.body.error).toMatchObject({ status, code, operationState: "unknown" });
    expect(await desk.balance()).toMatchObject({ availableCredits: 95, reservedCredits: 5 });
    const other = await desk.invoke({ operationId: "reserve", input: { item: "table", quantity: 1 } }, call);
    expect(other.body.error).toMatchObject({ status: 409, code: "idempotency_key_reused" });
    answers = true;
    const repeated = await desk.invoke(RESERVE, call);
    expect(repeated.body).toMatchObject({ result: RESERVED, chargedCredits: 5 });
    expect(done.size).toBe(1);
    expect(await desk.balance()).toMatchObject({
      availableCredits: 95,
      reservedCredits: 0,
      totalCredits: 95,
    });
    const replayed = await desk.invoke(RESERVE, call);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.body).toEqual(repeated.body);
    expect(desk.received()).toHaveLength(2);
  },
);
