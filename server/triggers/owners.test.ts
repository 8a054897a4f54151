import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { invokeWorkflows, storeWorkflow } from "#server/testing/stored-workflows.ts";
import {
  invokeTriggers,
  remember,
  runsOf,
  setClock,
  startTriggers,
  triggersDo,
} from "#server/testing/triggers.ts";
import { wakeEndedTriggers } from "./wake-ended-triggers.ts";

const api = await startApi();
const worker = await startTriggers(api);
afterAll(() => worker.stop());

const every = { on: { everySeconds: 60 }, start: remember, overlap: "allow" };
const get = async (key: string, name: string) => (await triggersDo(api, key, "get", { name })).trigger;

test("pauses the triggers of an ended key until they are put again", async () => {
  const { key, apiKey, accountId } = await createPayingKey(api, 1000);
  await listen(api, accountId);
  const child = await api.createChild(key);
  const { trigger } = await triggersDo(api, child.key, "put", { name: "theirs", ...every });
  expect(trigger.ownerKeyId).toBe(child.apiKey.id);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await expect
    .poll(() => get(key, "theirs"))
    .toMatchObject({ status: "paused", pausedReason: "owner_ended", nextAt: null });
  expect((await eventsKept(api, accountId)).filter(({ type }) => type === "trigger.paused")).toMatchObject([
    { data: { trigger: { id: trigger.id, pausedReason: "owner_ended" } } },
  ]);
  for (const operation of ["resume", "fire"]) {
    const refused = await invokeTriggers(api, key, operation, { name: "theirs" });
    expect(refused.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  }
  expect((await triggersDo(api, key, "put", { name: "theirs", ...every })).trigger).toMatchObject({
    id: trigger.id,
    status: "active",
    ownerKeyId: apiKey.id,
  });
  await setClock(api, 65_000);
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(1);
  await setClock(api, 0);
});

const byEvent = { on: { event: "order.paid" }, start: remember };
const OWNERLESS = { status: "paused", pausedReason: "owner_ended" };

test("pauses a trigger whose key is revoked while it is being put", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  await listen(api, accountId);
  const owner = await api.createChild(key);
  const { db, client } = api.platform.database;
  const [locked, revoked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // New triggers of one account take turns.
  const holding = client.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`triggers ${accountId}`}, 0))`;
    locked.resolve();
    await revoked.promise;
  });
  await locked.promise;
  const putting = triggersDo(api, owner.key, "put", { name: "raced", ...byEvent });
  const waiting = () =>
    client`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  await expect.poll(waiting).toHaveLength(1);
  await api.mustSend(200, "DELETE", `/v1/api-keys/${owner.apiKey.id}`, { key });
  revoked.resolve();
  await holding;
  const { trigger } = await putting;
  await wakeEndedTriggers(db);
  await expect.poll(() => get(key, "raced")).toMatchObject({ id: trigger.id, ...OWNERLESS });
  expect((await eventsKept(api, accountId)).filter(({ type }) => type === "trigger.paused")).toMatchObject([
    { data: { trigger: { id: trigger.id, pausedReason: "owner_ended" } } },
  ]);
  const taken = (await triggersDo(api, key, "put", { name: "raced", ...byEvent })).trigger;
  expect(taken).toMatchObject({ id: trigger.id, status: "active" });
  await wakeEndedTriggers(db);
  expect(await get(key, "raced")).toMatchObject({ status: "active" });
});

test("pauses the triggers of members who were removed, also those that wait for events", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const [owner, leaver] = await Promise.all([
    signInMember(api, accountId, "owner"),
    signInMember(api, accountId, "developer"),
  ]);
  const body = { serviceId: "managed-triggers", operationId: "put", input: { name: "left", ...byEvent } };
  expect((await leaver.mutate("services.invoke", body)).status).toBe(200);
  await owner.mutate("members.delete", { memberId: leaver.memberId });
  await wakeEndedTriggers(api.platform.database.db);
  await expect.poll(() => get(key, "left")).toMatchObject(OWNERLESS);
});

test("leaves a trigger alone that was paused by hand before its key ended, and skips its starts by hand", async () => {
  const { key, apiKey } = await createPayingKey(api, 1000);
  const child = await api.createChild(key);
  const { trigger } = await triggersDo(api, child.key, "put", { name: "resting", ...every });
  await triggersDo(api, child.key, "pause", { name: "resting" });
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await triggersDo(api, key, "fire", { name: "resting" });
  const { client } = api.platform.database;
  const handled = () =>
    client`select from triggers where id = ${uuidOf("trigger", trigger.id)}
      and claimed_by is null and ready_at is null and due_at is null`;
  await expect.poll(handled).toHaveLength(1);
  expect(await triggersDo(api, key, "get", { name: "resting" })).toMatchObject({
    trigger: { status: "paused", pausedReason: "manual" },
    ticks: [{ kind: "fire", state: "skipped", runId: null, error: { code: "paused" } }],
  });
  const taken = (await triggersDo(api, key, "put", { name: "resting", ...every })).trigger;
  expect(taken).toMatchObject({ status: "paused", pausedReason: "manual", ownerKeyId: apiKey.id });
});

test("waits for credits, and continues when there are some", async () => {
  const { key, accountId } = await createPayingKey(api, 2);
  const { trigger } = await triggersDo(api, key, "put", { name: "poor", ...every });
  await setClock(api, 125_000);
  await expect
    .poll(() => get(key, "poor"))
    .toMatchObject({ status: "paused", pausedReason: "no_credits", nextAt: null });
  expect(await runsOf(api, key, trigger.id)).toHaveLength(1);
  const grant = { accountId, credits: 100, reference: unique("grant"), description: "For a test" };
  await api.platform.database.db.transaction((tx) => grantCredits(tx, grant));
  await expect.poll(() => get(key, "poor")).toMatchObject({ status: "active", pausedReason: null });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(2);
  await setClock(api, 0);
});

test("starts nothing that its owner's limits have no room for, until they do", async () => {
  const { key } = await createPayingKey(api, 100);
  const { key: bounded } = await api.createChild(key, { limits: { "runs.create": { maxConcurrent: 1 } } });
  const { trigger } = await triggersDo(api, bounded, "put", { name: "bounded", ...every });
  await triggersDo(api, bounded, "fire", { name: "bounded" });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(1);
  await triggersDo(api, bounded, "fire", { name: "bounded" });
  await expect
    .poll(async () => (await get(key, "bounded")).lastError)
    .toMatchObject({ code: "limit_exhausted" });
  const [run] = await runsOf(api, key, trigger.id);
  await api.send("POST", `/v1/runs/${run.id}/cancel`, { key, body: {} });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(2);
  expect(await get(key, "bounded")).toMatchObject({ lastError: null, status: "active" });
});

test("reports a run that it could not start", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  await listen(api, accountId);
  await storeWorkflow(api, key, "report", [{ id: "pause", type: "wait", seconds: 0 }]);
  const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "report" } };
  const { trigger } = await triggersDo(api, key, "put", { name: "report", ...every, start });
  await invokeWorkflows(api, key, "archive", { name: "report" });
  await triggersDo(api, key, "fire", { name: "report" });
  const refused = {
    code: "state_conflict",
    message: 'The workflow "report" is archived. Restore it, or use another name.',
  };
  await expect
    .poll(() => triggersDo(api, key, "get", { name: "report" }))
    .toMatchObject({
      trigger: { status: "active", lastError: refused, consecutiveFailures: 1 },
      ticks: [{ kind: "fire", state: "refused", runId: null, error: refused }],
    });
  expect((await eventsKept(api, accountId)).filter(({ type }) => type === "trigger.failed")).toMatchObject([
    { data: { trigger: { id: trigger.id, lastError: refused } } },
  ]);
});
