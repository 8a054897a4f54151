import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { triggerTicks } from "#db/schema/triggers.ts";
import { ownServices } from "#server/services/own-services.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { storeWorkflow } from "#server/testing/stored-workflows.ts";
import { invokeTriggers, remember, setClock, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const on = { cron: "30 2 * * *", timezone: "Europe/Berlin" };

test("keeps a trigger under its name, as it was put last", async () => {
  const { key, apiKey } = await createPayingKey(api, 100);
  const put = await invokeTriggers(api, key, "put", { name: "nightly", on, start: remember });
  expect(put).toMatchObject({ status: 200, body: { chargedCredits: 1 } });
  const { trigger } = put.body.result;
  expect(trigger).toEqual({
    id: expect.stringMatching(/^trg_[0-9a-z]{26}$/),
    name: "nightly",
    on,
    start: {
      ...remember,
      connectionId: null,
      maxAttempts: 1,
      expiresInSeconds: 86_400,
      tags: [],
      priority: 0,
      concurrency: [],
      debounce: null,
    },
    overlap: "skip",
    catchUpSeconds: 3600,
    jitterSeconds: 0,
    pauseAfterFailures: null,
    status: "active",
    pausedReason: null,
    nextAt: expect.stringMatching(/T0[01]:30:00\.000Z$/),
    lastRunId: null,
    lastError: null,
    consecutiveFailures: 0,
    ownerKeyId: apiKey.id,
    projectId: null,
    endUser: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const again = await triggersDo(api, key, "put", { name: "nightly", on, start: remember, overlap: "allow" });
  expect(again.trigger).toMatchObject({ id: trigger.id, overlap: "allow", nextAt: trigger.nextAt });
  const paused = await triggersDo(api, key, "pause", { name: "nightly" });
  expect(paused.trigger).toMatchObject({ status: "paused", pausedReason: "manual", nextAt: null });
  expect((await triggersDo(api, key, "put", { name: "nightly", on, start: remember })).trigger.status).toBe(
    "paused",
  );
  await triggersDo(api, key, "put", { name: "quarterly", on: { everySeconds: 900 }, start: remember });
  const list = async (input: object) =>
    (await triggersDo(api, key, "list", input)).triggers.map(({ name }: { name: string }) => name);
  expect(await list({})).toEqual(["quarterly", "nightly"]);
  expect(await list({ status: "paused" })).toEqual(["nightly"]);
  const resumed = await triggersDo(api, key, "resume", { name: "nightly" });
  expect(resumed.trigger).toMatchObject({ status: "active", nextAt: trigger.nextAt });
  await triggersDo(api, key, "delete", { name: "nightly" });
  const gone = await invokeTriggers(api, key, "get", { name: "nightly" });
  expect(gone.body.error).toMatchObject({ status: 404, message: 'No trigger has the name "nightly".' });
});

test("stores only over the state that the caller has seen", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = async (ifUpdatedAt: string | null, change: object = {}) =>
    (await invokeTriggers(api, key, "put", { name: "seen", on, start: remember, ...change, ifUpdatedAt }))
      .body;
  const conflict = { status: 409, code: "state_conflict" };
  expect((await put("2027-01-31T12:00:00.000Z")).error).toMatchObject(conflict);
  const { trigger } = (await put(null)).result;
  const existing = await put(null, { overlap: "allow" });
  const changedAt = `There is a trigger "seen", last changed at ${trigger.updatedAt}.`;
  expect(existing.error).toMatchObject({ ...conflict, message: expect.stringContaining(changedAt) });
  const seconds = [1, 2, 3, 4];
  const racing = await Promise.all(seconds.map((jitterSeconds) => put(trigger.updatedAt, { jitterSeconds })));
  const [stored, ...others] = racing.flatMap(({ result }) => result ?? []);
  expect(others).toEqual([]);
  expect((await triggersDo(api, key, "get", { name: "seen" })).trigger).toEqual(stored.trigger);
});

test("lists the triggers of one kind, and by name", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const sources = { nightly: on, paid: { event: "order.paid" }, issues: { webhook: { scheme: "none" } } };
  for (const [name, source] of Object.entries(sources))
    await triggersDo(api, key, "put", { name, on: source, start: remember });
  const viewer = await signInMember(api, accountId, "viewer");
  const list = async (kind: string) =>
    (await viewer.query("triggers.list", { on: kind })).data.triggers.map(
      ({ name }: { name: string }) => name,
    );
  expect(await list("schedule")).toEqual(["nightly"]);
  expect(await list("event")).toEqual(["paid"]);
  expect(await list("webhook")).toEqual(["issues"]);
  const byName = async (query: object) => (await viewer.query("triggers.list", { limit: 2, ...query })).data;
  const first = await byName({ sort: "name" });
  expect(first.triggers).toMatchObject([{ name: "issues" }, { name: "nightly" }]);
  const rest = await byName({ sort: "name", cursor: first.nextCursor });
  expect(rest).toMatchObject({ triggers: [{ name: "paid" }], nextCursor: null });
  expect((await byName({ sort: "-name" })).triggers).toMatchObject([{ name: "paid" }, { name: "nightly" }]);
});

test("reads crontab lines in their time zone, on both days that have another length", async () => {
  const { key } = await createPayingKey(api, 100);
  const next = async (at: string, cron: string, timezone: string) => {
    await setClock(api, new Date(at));
    const name = "changing";
    await triggersDo(api, key, "put", { name, on: { cron, timezone }, start: remember });
    const { nextTimes } = await triggersDo(api, key, "get", { name });
    await triggersDo(api, key, "delete", { name });
    return nextTimes.slice(0, 3).map((time: string) => time.slice(0, 16));
  };
  const berlin = "Europe/Berlin";
  const york = "America/New_York";
  expect(await next("2027-03-27T12:00:00Z", "30 2 * * *", berlin)).toEqual([
    "2027-03-28T01:00",
    "2027-03-29T00:30",
    "2027-03-30T00:30",
  ]);
  expect(await next("2027-10-30T12:00:00Z", "30 2 * * *", berlin)).toEqual([
    "2027-10-31T00:30",
    "2027-11-01T01:30",
    "2027-11-02T01:30",
  ]);
  expect(await next("2027-03-14T06:30:00Z", "0 * * * *", york)).toEqual([
    "2027-03-14T07:00",
    "2027-03-14T08:00",
    "2027-03-14T09:00",
  ]);
  expect(await next("2027-11-07T04:45:00Z", "*/30 * * * *", york)).toEqual([
    "2027-11-07T05:00",
    "2027-11-07T05:30",
    "2027-11-07T06:00",
  ]);
  expect(await next("2027-11-06T12:00:00Z", "30 1 * * *", york)).toEqual([
    "2027-11-07T05:30",
    "2027-11-08T06:30",
    "2027-11-09T06:30",
  ]);
  await setClock(api, 0);
});

test("names the faults of a trigger", async () => {
  const { key } = await createPayingKey(api, 100);
  const faults = async (more: object) => {
    const { status, body } = await invokeTriggers(api, key, "put", {
      name: "wrong",
      on,
      start: remember,
      ...more,
    });
    expect(status).toBe(400);
    return body.error.issues.map(({ path }: { path: string }) => path);
  };
  expect(await faults({ on: {} })).toEqual(["body.input.on"]);
  expect(await faults({ on: { cron: "* * * * *", everySeconds: 60 } })).toEqual(["body.input.on"]);
  expect(await faults({ on: { everySeconds: 59 } })).toEqual(["body.input.on.everySeconds"]);
  expect(await faults({ on: { everySeconds: 60, timezone: "UTC" } })).toEqual(["body.input.on.timezone"]);
  for (const cron of ["61 * * * *", "* * * * * *", "0 0 30 2 *", "never"])
    expect(await faults({ on: { cron } })).toEqual(["body.input.on.cron"]);
  expect(await faults({ on: { ...on, timezone: "Europe/Atlantis" } })).toEqual(["body.input.on.timezone"]);
  expect(await faults({ on: { at: "2020-01-01T00:00:00.000Z" } })).toEqual(["body.input.on.at"]);
  const start = (more: object) => faults({ start: { ...remember, ...more } });
  expect(await start({ serviceId: "managed-wallets", operationId: "wallets.create" })).toEqual([
    "body.input.start.operationId",
  ]);
  expect(await start({ input: { content: 1 } })).toEqual(["body.input.start.input.content"]);
  expect(await start({ connectionId: "conn_x" })).toEqual(["body.input.start.connectionId"]);
  const workflow = {
    serviceId: "managed-workflows",
    operationId: "start",
    input: { name: "strict", input: { day: "x" } },
  };
  const day = { type: "object", properties: { day: { type: "integer" }, scheduledAt: {} } };
  await storeWorkflow(api, key, "strict", [{ id: "pause", type: "wait", seconds: 0 }], { inputSchema: day });
  expect(await faults({ start: workflow })).toEqual(["body.input.start.input.input.day"]);
});

test("makes up for a thousand times at once, and asks for the rest in parts", async () => {
  const { key } = await createPayingKey(api, 100);
  const minutely = { on: { cron: "* * * * *" }, start: remember, overlap: "allow" };
  const { trigger } = await triggersDo(api, key, "put", { name: "minutely", ...minutely });
  const after = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
  const backfill = (from: number, to: number) =>
    invokeTriggers(api, key, "backfill", { name: "minutely", from: after(from), to: after(to) });
  const ticks = async () => {
    const stored = eq(triggerTicks.triggerId, trigger.id);
    return api.platform.database.db.$count(triggerTicks, stored);
  };
  expect((await backfill(0, 1001)).body.error).toMatchObject({
    status: 400,
    issues: [
      { path: "body.input.to", message: "More than 1000 times are within it. Make up for them in parts." },
    ],
  });
  expect(await ticks()).toBe(0);
  expect((await backfill(0, 1000)).body.result).toMatchObject({ asked: 1000, left: 0 });
  expect(await ticks()).toBe(1000);
  // Times that have a tick already count: the limit bounds the times that one call examines.
  expect((await backfill(500, 1501)).status).toBe(400);
  expect((await backfill(500, 1500)).body.result).toMatchObject({ asked: 500, left: 500 });
  expect(await ticks()).toBe(1500);
});

test("needs the same access as creating the run by hand, and shows others nothing", async () => {
  const { key } = await createPayingKey(api, 100);
  const trigger = { name: "mine", on, start: remember };
  await triggersDo(api, key, "put", trigger);
  const invokes = ["services:invoke", "runs:read"];
  const unable = await api.createChild(key, { scopes: invokes });
  for (const operation of ["put", "fire"]) {
    const input = operation === "put" ? trigger : { name: "mine" };
    const refused = await invokeTriggers(api, unable.key, operation, input);
    expect(refused.body.error).toMatchObject({
      status: 403,
      code: "scope_missing",
      message: `Key ${unable.apiKey.id} lacks the scope runs:write, which starting runs needs.`,
      check: "scope",
      keyId: unable.apiKey.id,
    });
  }
  const bounded = await api.createChild(key, {
    allowedOperations: ["services.invoke.managed-triggers.put", "services.invoke.managed-triggers.get"],
  });
  const narrow = await invokeTriggers(api, bounded.key, "put", trigger);
  expect(narrow.body.error).toMatchObject({
    status: 403,
    code: "operation_not_allowed",
    message: `Operation runs.create.managed-memory.put is outside the boundary of key ${bounded.apiKey.id}.`,
    keyId: bounded.apiKey.id,
  });
  const denied = await invokeTriggers(api, bounded.key, "pause", { name: "mine" });
  expect(denied.body.error).toMatchObject({ status: 403, code: "operation_not_allowed" });
  expect((await triggersDo(api, bounded.key, "get", { name: "mine" })).trigger.name).toBe("mine");
  const other = await createPayingKey(api, 100);
  const forAda = await invokeTriggers(api, key, "get", { name: "mine" }, { "x-service-end-user": "ada" });
  for (const { body } of [await invokeTriggers(api, other.key, "get", { name: "mine" }), forAda])
    expect(body.error).toMatchObject({ status: 404, message: 'No trigger has the name "mine".' });
});

test.each(["fire", "backfill"])("starts no run by hand that would have no event: %s", async (operation) => {
  const { key } = await createPayingKey(api, 10);
  await triggersDo(api, key, "put", { name: "paid", on: { event: "order.paid" }, start: remember });
  const times = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z" };
  const input = { name: "paid", ...(operation === "backfill" && times) };
  const { body } = await invokeTriggers(api, key, operation, input);
  expect(body.error).toMatchObject({ code: "state_conflict" });
});

test("is reached by no key with a boundary that was made before there were triggers", async () => {
  const database = await createTestDatabase();
  const services = ownServices as (typeof ownServices)[number][];
  const place = services.findIndex(({ id }) => id === "managed-triggers");
  const removed = services.splice(place, 1);
  const putBack = () => services.splice(place, 0, ...removed.splice(0));
  onTestFinished(() => void putBack());
  // As in an installation that existed before triggers and is restarted with them.
  const before = await startApi({ database });
  const old = await createPayingKey(before, 100);
  const { key: memory } = await before.createChild(old.key, { allowedServices: ["managed-memory"] });
  const { key: invokes } = await before.createChild(old.key, { allowedOperations: ["services.invoke"] });
  putBack();
  const api = await startApi({ database: { url: database.url, drop: () => null } });
  const code = async (key: string) =>
    (await invokeTriggers(api, key, "put", { name: "new", on, start: remember })).body.error?.code;
  expect(await code(memory)).toBe("service_not_allowed");
  expect(await code(invokes)).toBe("operation_not_allowed");
});
