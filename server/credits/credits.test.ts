import { expect, test } from "vitest";
import { newUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { eventsKept } from "#server/testing/events.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { holdCredits } from "./hold-credits.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });

test("reads the balance, including reserved credits", async () => {
  const { key, accountId, apiKey } = await createPayingKey(api, 50);
  await api.platform.database.db.transaction((tx) =>
    holdCredits(tx, newUuid(), {
      caller: keyCaller(accountId, [apiKey.id]),
      selectors: ["services.invoke"],
      credits: 20,
      description: "A call",
      priceVersion: "test",
      requestId: "req_test",
    }),
  );
  const { status, body } = await api.send("GET", "/v1/credits/balance", { key });
  expect(status).toBe(200);
  expect(body.balance).toEqual({
    availableCredits: 30,
    reservedCredits: 20,
    totalCredits: 50,
    lowThreshold: 1000,
    asOf: expect.stringMatching(/\.\d{3}Z$/),
  });
});

test("notifies webhooks once of a total below the account's threshold", async () => {
  const { key, accountId } = await createPayingKey(api, 50);
  const owner = await signInMember(api, accountId, "owner");
  expect((await owner.mutate("credits.threshold.update", { lowThreshold: 49 })).data.balance).toMatchObject({
    totalCredits: 50,
    lowThreshold: 49,
  });
  const body = { url: "https://example.com/hook", events: ["credits.*"] };
  expect((await api.send("POST", "/v1/webhooks", { key, body })).status).toBe(201);
  await invokeMemory(api, key, "put", { content: "a" });
  expect(await listLow(accountId)).toEqual([]);
  for (const content of ["b", "c"]) await invokeMemory(api, key, "put", { content });
  expect(await listLow(accountId)).toEqual([
    { balance: expect.objectContaining({ totalCredits: 48, lowThreshold: 49 }) },
  ]);
  const viewer = await signInMember(api, accountId, "viewer");
  const refused = await viewer.mutate("credits.threshold.update", { lowThreshold: 5 });
  expect([refused.status, refused.error.code]).toEqual([403, "scope_missing"]);
  const wrong = await owner.mutate("credits.threshold.update", { lowThreshold: 0 });
  expect(wrong.error).toMatchObject({ code: "invalid_request", issues: [{ path: "body.lowThreshold" }] });
});

/** Returns the data of the account's `credits.low` events. */
async function listLow(accountId: string): Promise<unknown[]> {
  const events = await eventsKept(api, accountId);
  return events.filter(({ type }) => type === "credits.low").map(({ data }) => data);
}

test("notifies webhooks of low credits after a run's charge, too", async () => {
  const { key, accountId } = await createPayingKey(api, 50);
  const owner = await signInMember(api, accountId, "owner");
  await owner.mutate("credits.threshold.update", { lowThreshold: 50 });
  const body = { url: "https://example.com/hook", events: ["credits.*"] };
  await api.mustSend(201, "POST", "/v1/webhooks", { key, body });
  await startRuns(api);
  for (const content of ["a", "b"]) {
    const run = { serviceId: "managed-memory", operationId: "put", input: { content } };
    const created = await createRun(api, key, run);
    await runWith(api, key, created.body.run.id, "succeeded");
  }
  expect(await listLow(accountId)).toEqual([{ balance: expect.objectContaining({ totalCredits: 49 }) }]);
});

test("returns zeros for an account that never had credits", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", "/v1/credits/balance", { key });
  expect(body.balance).toMatchObject({ availableCredits: 0, reservedCredits: 0, totalCredits: 0 });
  expect(body.balance).not.toHaveProperty("history");
  const blind = await api.createChild(key, { scopes: ["services:read"] });
  const refused = await api.send("GET", "/v1/credits/balance", { key: blind.key });
  expect(refused.body.error).toMatchObject({ status: 403, code: "scope_missing" });
});

test("returns the total at the end of each day on request", async () => {
  const { key } = await createPayingKey(api, 50);
  await invokeMemory(api, key, "put", { content: "a" });
  const { body } = await api.send("GET", "/v1/credits/balance?historyDays=3", { key });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  expect(body.balance.history).toEqual([
    { day: day(2), totalCredits: 0 },
    { day: day(1), totalCredits: 0 },
    { day: day(0), totalCredits: 49 },
  ]);
  const refused = await api.send("GET", "/v1/credits/balance?historyDays=367", { key });
  expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "query.historyDays" }] });
});

test("lists the account's own ledger, newest first", async () => {
  const { key, accountId } = await createPayingKey(api, 50);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const put = await invokeMemory(
    api,
    key,
    "put",
    { content: "a" },
    { headers: { "x-service-project": project } },
  );
  await invokeMemory(api, key, "search", { query: "a" });
  const owner = await signInMember(api, accountId, "owner");
  const first = await owner.query("credits.ledger.list", { limit: 2 });
  expect(first.data.entries).toMatchObject([
    { kind: "usage", amount: -1, balanceAfter: 48, operation: "services.invoke.managed-memory.search" },
    {
      id: expect.stringMatching(/^rcpt_/),
      at: expect.stringMatching(/\.\d{3}Z$/),
      kind: "usage",
      description: "managed-memory put",
      amount: -1,
      balanceAfter: 49,
      operation: "services.invoke.managed-memory.put",
      requestId: put.headers.get("x-request-id"),
      projectId: project,
    },
  ]);
  const second = await owner.query("credits.ledger.list", { limit: 2, cursor: first.data.nextCursor });
  expect(second.data).toMatchObject({
    entries: [{ kind: "grant", amount: 50, balanceAfter: 50, operation: null, requestId: null }],
    nextCursor: null,
  });
  const [newest] = first.data.entries;
  const ofRequest = await owner.query("credits.ledger.list", { search: newest.requestId });
  expect(ofRequest.data.entries).toEqual([newest]);
  const grants = await owner.query("credits.ledger.list", { kind: "grant" });
  expect(grants.data.entries).toHaveLength(1);
  const stranger = await signInMember(api, (await api.createAccount()).accountId, "owner");
  expect((await stranger.query("credits.ledger.list")).data.entries).toEqual([]);
});

test("lists to a key of a project that project's charges, and to a key of an end user none", async () => {
  const { key } = await createPayingKey(api, 50);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const headers = { "x-service-project": project };
  await invokeMemory(api, key, "put", { content: "a" }, { headers });
  await invokeMemory(api, key, "put", { content: "b" });
  const listed = async (secret: string, options: { headers?: Record<string, string> } = {}) =>
    (await api.send("GET", "/v1/credits/ledger", { key: secret, ...options })).body;
  const first = (await api.send("GET", "/v1/credits/ledger?limit=2", { key })).body;
  const rest = (await api.send("GET", `/v1/credits/ledger?cursor=${first.nextCursor}`, { key })).body;
  const all = [...first.entries, ...rest.entries];
  expect(all.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
    [-1, 48],
    [-1, 49],
    [50, 50],
  ]);
  expect((await listed(key, { headers })).entries).toEqual([all[1]]);
  const bound = await api.createChild(key, { projectId: project });
  expect((await listed(bound.key)).entries).toEqual([all[1]]);
  expect((await listed((await api.createRootKey()).key)).entries).toEqual([]);
  const ada = await api.createChild(key, { endUser: "ada" });
  expect((await listed(ada.key)).error).toMatchObject({ status: 403, code: "end_user_not_allowed" });
});
