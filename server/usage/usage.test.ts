import { expect, test } from "vitest";
import { z } from "zod";
import { sealBatch } from "#server/audit/seal-events.ts";
import { newUuidAt, uuidOf } from "#server/base/ids.ts";
import { exampleId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { failingOperation } from "#server/testing/failing-operation.ts";

const charging = operation({
  id: "test.charge",
  method: "POST",
  path: "/test/charge",
  summary: "Charge seven credits",
  scope: "projects:read",
  service: "managed-database",
  idempotent: true,
  output: z.object({}),
  async handler({ response }) {
    response.charged(7);
    return {};
  },
});

// Makes periods of minutes available for every month.
const api = await startApi({ extra: [charging, failingOperation], settings: { auditArchiveMonths: 999 } });
const { client } = api.platform.database;
const seal = () => sealBatch(client);

async function usageOf(key: string, query = "", headers: Record<string, string> = {}) {
  const answer = await api.send("GET", `/v1/usage${query}`, { key, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.usage;
}
const groupsOf = async (key: string, query: string, headers = {}) =>
  (await usageOf(key, query, headers)).groups.map((group: { key: string; requests: number }) => [
    group.key,
    group.requests,
  ]);

/** Adds requests with these durations at a moment, as the recorder stores them. */
async function addRequests(
  account: { accountId: string; apiKey: { id: string } },
  at: string,
  durations: number[],
  operationOf: (nth: number) => string = () => "projects.list",
) {
  const events = durations.map((durationMs, nth) => ({
    accountId: uuidOf("account", account.accountId),
    id: newUuidAt(new Date(at)),
    at,
    actorType: "key",
    actorId: uuidOf("apiKey", account.apiKey.id),
    operation: operationOf(nth),
    selector: operationOf(nth),
    counted: true,
    outcome: "allowed",
    status: 200,
    requestId: "req_test",
    durationMs,
    chargedCredits: 0,
  }));
  await client`select record_events(${JSON.stringify(events)}::jsonb)`;
}

test("counts requests, errors, limited ones and charges at once, and the same when they are chained", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { requestsPerMinute: 2 } } });
  const today = new Date().toISOString().slice(0, 10);
  for (const _ of [1, 2, 3]) await api.send("GET", "/v1/projects", { key });
  await api.send("GET", "/v1/projects/proj_00000000000000000000000000", { key });
  await api.send("GET", "/v1/test/fail", { key });
  for (const _ of [1, 2]) await api.send("POST", "/v1/test/charge", { key, idempotencyKey: "charged-once" });
  // The key's creation, three lists, a miss, a failure, a charge and its replay.
  const totals = { requests: 8, errors: 2, limited: 1, chargedCredits: 7 };
  const pending = await usageOf(key);
  expect(pending.totals).toMatchObject(totals);
  expect(pending.groups).toEqual([
    {
      key: today,
      ...totals,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      p99Ms: expect.any(Number),
    },
  ]);
  await seal();
  // The previous read was itself a request.
  expect((await usageOf(key, `?to=${pending.to}`)).totals).toMatchObject(totals);
  expect((await usageOf(key)).totals).toMatchObject({ ...totals, requests: 10 });
  const audit = await api.send("GET", "/v1/audit-events?limit=100", { key });
  const [, ...counted] = audit.body.auditEvents.toReversed();
  expect(counted).toHaveLength(10);
});

test("groups by day, operation, service, key and end user", async () => {
  const account = await api.createRootKey();
  const { key } = account;
  const child = await api.createChild(key);
  await api.send("POST", "/v1/test/charge", { key: child.key, headers: { "x-service-end-user": "ada" } });
  await api.send("GET", "/v1/projects", { key: child.key, headers: { "x-service-end-user": "ada" } });
  await addRequests(account, "2026-01-31T23:59:59.999Z", [1, 2, 3]);
  for (const state of ["pending", "chained"]) {
    const of = (group: string) => groupsOf(key, `?from=2026-01-01T00:00:00Z&groupBy=${group}`);
    expect((await of("day"))[0], state).toEqual(["2026-01-31", 3]);
    expect(await of("operation"), state).toContainEqual(["projects.list", 4]);
    expect(await of("operation"), state).toContainEqual(["test.charge", 1]);
    expect(await of("service"), state).toContainEqual(["managed-database", 1]);
    expect(await of("key"), state).toContainEqual([child.apiKey.id, 2]);
    expect(await of("endUser"), state).toContainEqual(["ada", 2]);
    await seal();
  }
});

test("returns the 1,000 groups with the most requests, and says whether there are more", async () => {
  const account = await api.createRootKey();
  const at = "2026-02-03T10:00:00.000Z";
  const query = "?from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z&groupBy=operation";
  await addRequests(account, at, Array(1000).fill(1), (nth) => `test.${nth}`);
  const whole = await usageOf(account.key, query);
  expect([whole.groups.length, whole.truncated]).toEqual([1000, false]);
  await addRequests(account, at, [1, 1], () => "test.frequent");
  const cut = await usageOf(account.key, query);
  expect([cut.groups.length, cut.truncated, cut.totals.requests]).toEqual([1000, true, 1002]);
  expect(cut.groups[0]).toMatchObject({ key: "test.frequent", requests: 2 });
});

test("leaves out members' reads in the console on request, and counts their changes", async () => {
  const member = await signUpAndIn(api);
  const made = await member.mutate("apiKeys.create", { label: "Backend", scopes: ["projects:read"] });
  await api.send("GET", "/v1/projects", { key: made.data.secret });
  for (const _ of [1, 2, 3]) await member.query("projects.list");
  for (const state of ["pending", "chained"]) {
    const { usage } = (await member.query("usage.read", { groupBy: "operation", consoleReads: "exclude" }))
      .data;
    const found = usage.groups.map(({ key, requests }: { key: string; requests: number }) => [key, requests]);
    expect(found, state).toEqual([
      ["accounts.create", 1],
      ["apiKeys.create", 1],
      ["projects.list", 1],
      ["sessions.create", 1],
    ]);
    await seal();
  }
  expect((await member.query("usage.read", { groupBy: "operation" })).data.usage.groups[0]).toMatchObject({
    key: "projects.list",
    requests: 4,
  });
});

test("narrows to what one member of the account did", async () => {
  const member = await signUpAndIn(api);
  const { memberId } = (await member.query("me.read")).data;
  const made = await member.mutate("apiKeys.create", { label: "Backend", scopes: ["usage:read"] });
  for (const _ of [1, 2, 3]) await member.query("projects.list");
  const of = (query: string) => groupsOf(made.data.secret, `?groupBy=operation&${query}`);
  for (const state of ["pending", "chained"]) {
    expect(await of(`memberId=${memberId}&consoleReads=exclude`), state).toEqual([
      ["accounts.create", 1],
      ["apiKeys.create", 1],
      ["sessions.create", 1],
    ]);
    expect(await of(`memberId=${memberId}`), state).toContainEqual(["projects.list", 3]);
    await seal();
  }
  for (const nobody of [exampleId("member"), "nonsense"]) expect(await of(`memberId=${nobody}`)).toEqual([]);
});

test("is exact to the millisecond within an hour, whether chained or not, and late ones included", async () => {
  const account = await api.createRootKey();
  const { key } = account;
  const requests = async (query: string) => (await usageOf(key, query)).totals.requests;
  const check = async (state: string) => {
    expect(await requests("?from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z"), state).toBe(4);
    expect(await requests("?from=2026-03-01T10:15:00.001Z&to=2026-03-01T12:15:00Z"), state).toBe(2);
    expect(await requests("?from=2026-03-01T10:15:00Z&to=2026-03-01T12:15:00.001Z"), state).toBe(4);
    expect(await requests("?from=2026-03-01T10:15:00Z&to=2026-03-01T10:45:00Z"), state).toBe(1);
    expect(await requests("?from=2026-03-01T10:45:00Z&to=2026-03-01T10:45:00Z"), state).toBe(0);
    expect(await requests("?from=2026-03-01T11:00:00Z&to=2026-03-01T12:00:00Z"), state).toBe(1);
  };
  for (const time of ["10:15", "11:30", "12:15"])
    await addRequests(account, `2026-03-01T${time}:00.000Z`, [5]);
  await seal();
  // It began before the others and ended after them.
  await addRequests(account, "2026-03-01T10:45:00.000Z", [60_000]);
  await check("pending");
  await seal();
  await check("chained");
});

test("reports percentiles within 6.25 %, the same before and after chaining, over merged hours", async () => {
  const account = await api.createRootKey();
  const upTo100 = Array.from({ length: 100 }, (_, index) => index + 1);
  await addRequests(account, "2026-02-01T10:00:00.000Z", upTo100.slice(0, 50));
  await addRequests(account, "2026-02-01T11:00:00.000Z", upTo100.slice(50));
  await addRequests(account, "2026-02-02T10:00:00.000Z", [0, 7, 7, 15]);
  await addRequests(account, "2026-02-03T10:00:00.000Z", [1000, 2_000_000_000]);
  for (const _ of ["pending", "chained"]) {
    const { groups, totals } = await usageOf(
      account.key,
      "?from=2026-02-01T00:00:00Z&to=2026-02-04T00:00:00Z",
    );
    const percentilesOf = ({ requests, p50Ms, p95Ms, p99Ms }: Record<string, unknown>) => [
      requests,
      p50Ms,
      p95Ms,
      p99Ms,
    ];
    expect(groups.map((group: { key: string }) => [group.key, ...percentilesOf(group)])).toEqual([
      ["2026-02-01", 100, 49, 91, 99],
      ["2026-02-02", 4, 7, 15, 15],
      ["2026-02-03", 2, 991, 1_946_157_055, 1_946_157_055],
    ]);
    expect(percentilesOf(totals)).toEqual([106, 49, 99, 991]);
    const none = await usageOf(account.key, "?from=2026-01-01T00:00:00Z&to=2026-01-04T00:00:00Z");
    expect(percentilesOf(none.totals)).toEqual([0, null, null, null]);
    await seal();
  }
});

test("groups by minute, hour and project, also of one operation or key, whether chained or not", async () => {
  const account = await api.createRootKey();
  const { key } = account;
  const shop = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const child = await api.createChild(key);
  const charge = { key: child.key, headers: { "x-service-project": shop } };
  await api.send("POST", "/v1/test/charge", charge);
  await addRequests(account, "2026-03-01T10:15:59.999Z", [1, 2]);
  await addRequests(account, "2026-03-01T10:16:00.000Z", [3]);
  await addRequests(account, "2026-03-01T12:00:00.000Z", [4]);
  for (const state of ["pending", "chained"]) {
    const within = "&from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z";
    expect(await groupsOf(key, `?groupBy=minute${within}`), state).toEqual([
      ["2026-03-01T10:15:00.000Z", 2],
      ["2026-03-01T10:16:00.000Z", 1],
      ["2026-03-01T12:00:00.000Z", 1],
    ]);
    expect(await groupsOf(key, `?groupBy=hour${within}`), state).toEqual([
      ["2026-03-01T10:00:00.000Z", 3],
      ["2026-03-01T12:00:00.000Z", 1],
    ]);
    expect(await groupsOf(key, `?groupBy=project&operation=test.charge`), state).toEqual([[shop, 1]]);
    expect(await groupsOf(key, `?groupBy=operation&keyId=${child.apiKey.id}`), state).toEqual([
      ["test.charge", 1],
    ]);
    expect(await groupsOf(key, `?keyId=nonsense`), state).toEqual([]);
    await seal();
  }
  const tooLong = await api.send("GET", "/v1/usage?groupBy=minute&from=2026-03-01T10:00:00Z", { key });
  expect(tooLong.body.error).toMatchObject({ status: 400, issues: [{ path: "query.groupBy" }] });
});

test("shows a bound or selecting caller, and a project filter, only their own usage", async () => {
  const { key } = await api.createRootKey();
  const shop = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const bound = await api.createChild(key, { projectId: shop });
  await api.send("GET", "/v1/projects", { key: bound.key });
  await api.send("GET", "/v1/projects", { key, headers: { "x-service-end-user": "ada" } });
  const requests = async (query: string, headers = {}, by = key) =>
    (await usageOf(by, `?groupBy=operation${query}`, headers)).totals.requests;
  expect(await requests("", {}, bound.key)).toBe(1);
  expect(await requests("", { "x-service-end-user": "ada" })).toBe(1);
  for (const [state, inShop] of [
    ["pending", 2],
    ["chained", 3],
  ] as const) {
    expect(await requests(`&projectId=${shop}`), state).toBe(inShop);
    expect(await requests("&projectId=nonsense"), state).toBe(0);
    expect(await requests("&projectId=proj_00000000000000000000000000", {}, bound.key), state).toBe(0);
    expect(await requests("", { "x-service-end-user": `never seen, ${state}` }), state).toBe(0);
    await seal();
  }
  expect(await requests("", {}, (await api.createRootKey()).key)).toBe(1);
});

test("covers the last 30 days by default, and refuses a reversed period and unknown groups", async () => {
  const account = await api.createRootKey();
  const { key } = account;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await addRequests(account, daysAgo(29.9), [1]);
  await addRequests(account, daysAgo(30.1), [1]);
  const usage = await usageOf(key);
  expect(usage.totals.requests).toBe(2);
  expect(Date.parse(usage.to) - Date.parse(usage.from)).toBe(30 * 86_400_000);
  for (const query of ["?from=2999-01-01T00:00:00Z", "?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"]) {
    const refused = await api.send("GET", `/v1/usage${query}`, { key });
    expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "query.from" }] });
  }
  const unknown = await api.send("GET", "/v1/usage?groupBy=week", { key });
  expect(unknown.body.error).toMatchObject({ status: 400, issues: [{ path: "query.groupBy" }] });
});
