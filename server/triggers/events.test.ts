import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startRuns } from "#server/testing/runs.ts";
import { sendEvent, sent } from "#server/testing/sent-events.ts";
import { storeWorkflow } from "#server/testing/stored-workflows.ts";
import {
  invokeTriggers,
  pause,
  remember,
  runsOf,
  setClock,
  startTriggers,
  triggersDo,
} from "#server/testing/triggers.ts";

const api = await startApi();
const worker = await startTriggers(api);
afterAll(() => worker.stop());

const on = { event: "order.paid" };
const put = async (key: string, more: object = {}) =>
  (await triggersDo(api, key, "put", { name: "paid", on, start: remember, ...more })).trigger;
const get = async (key: string) => triggersDo(api, key, "get", { name: "paid" });

test("starts a run for each matching event, with the event in its input", async () => {
  const { key } = await createPayingKey(api, 100);
  const where = [{ path: "data.usd", op: "gte", value: "12.50" }];
  const start = {
    serviceId: "managed-memory",
    operationId: "put",
    input: {
      name: "order-{% event.key %}",
      content: "{% $string(event.data.usd * 2) %} of {% event.name %}",
    },
  };
  const trigger = await put(key, { on: { ...on, where }, start });
  expect(trigger).toMatchObject({
    on: { ...on, where },
    overlap: "allow",
    catchUpSeconds: 604_800,
    status: "active",
    nextAt: null,
  });
  expect(await sent(api, key, { name: "order.paid", data: { usd: 12 } })).toMatchObject({ started: 0 });
  expect(await sent(api, key, { name: "order.sent", data: { usd: 13 } })).toMatchObject({ started: 0 });
  const event = { name: "order.paid", key: "4711", data: { usd: 12.5 }, id: unique("event") };
  const first = await sent(api, key, event);
  expect(first).toMatchObject({ started: 1, repeated: false });
  expect(await sent(api, key, event)).toEqual({ ...first, repeated: true });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(1);
  const [run] = await runsOf(api, key, trigger.id);
  expect(run).toMatchObject({
    input: { name: "order-4711", content: "25 of order.paid" },
    triggerId: trigger.id,
  });
  const { ticks } = await get(key);
  expect(ticks).toMatchObject([
    {
      kind: "event",
      state: "started",
      runId: run.id,
      eventId: first.eventId,
      scheduledAt: run.scheduledAt,
      error: null,
    },
  ]);
});

test("passes the event to workflows, and does not evaluate their own expressions", async () => {
  const { key } = await createPayingKey(api, 100);
  const steps = [{ id: "pause", type: "wait", seconds: "{% input.event.data.seconds %}" }];
  await storeWorkflow(api, key, "follow", steps);
  const started = { input: { of: "{% event.data.seconds + 1 %}" } };
  const stored = {
    serviceId: "managed-workflows",
    operationId: "start",
    input: { name: "follow", ...started },
  };
  const sentAlong = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Follow", steps }, ...started },
  };
  const ids: string[] = [];
  for (const [nth, start] of [stored, sentAlong].entries())
    ids.push((await triggersDo(api, key, "put", { name: `flow-${nth}`, on, start })).trigger.id);
  const { eventId, ...brought } = await sent(api, key, { name: "order.paid", data: { seconds: 0 } });
  expect(brought).toMatchObject({ started: 2 });
  for (const [nth, id] of ids.entries()) {
    await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
    const [run] = await runsOf(api, key, id);
    expect(run.input.input).toEqual({
      of: 1,
      event: { id: eventId, name: "order.paid", key: null, data: { seconds: 0 }, sentAt: expect.any(String) },
    });
    expect(run.input.workflow?.steps).toEqual([undefined, steps][nth]);
  }
});

test("lets events wait while it is paused, for seven days", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id } = await put(key);
  await triggersDo(api, key, "pause", { name: "paid" });
  await sent(api, key, { name: "order.paid", key: "old" });
  await setClock(api, 7 * 86_400_000 + 1000);
  await sent(api, key, { name: "order.paid", key: "new" });
  expect((await get(key)).ticks.map(({ state }: { state: string }) => state)).toEqual(["waiting", "waiting"]);
  expect(await runsOf(api, key, id)).toHaveLength(0);
  await triggersDo(api, key, "resume", { name: "paid" });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  expect((await get(key)).ticks).toMatchObject([{ state: "started" }, { state: "missed", runId: null }]);
  await setClock(api, 0);
});

test("keeps events of an ended key until the trigger is put again", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await api.createChild(key);
  const { id } = await put(child.key);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  expect(await sent(api, key, { name: "order.paid" })).toMatchObject({ started: 1 });
  await expect.poll(async () => (await get(key)).trigger.pausedReason).toBe("owner_ended");
  expect((await get(key)).ticks).toMatchObject([{ state: "waiting" }]);
  await put(key);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
});

test("keeps events for which there are no credits until there are", async () => {
  const { key, accountId } = await createPayingKey(api, 4);
  const { id } = await put(key);
  for (let nth = 0; nth < 2; nth++) await sent(api, key, { name: "order.paid" });
  await expect.poll(async () => (await get(key)).trigger.pausedReason).toBe("no_credits");
  expect(await runsOf(api, key, id)).toHaveLength(1);
  const grant = { accountId, credits: 100, reference: unique("grant"), description: "For a test" };
  await api.platform.database.db.transaction((tx) => grantCredits(tx, grant));
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
  expect((await get(key)).trigger).toMatchObject({ status: "active", pausedReason: null });
});

test("skips events while a run is live, if configured", async () => {
  const { key } = await createPayingKey(api, 100);
  const { id } = await put(key, { start: pause, overlap: "skip" });
  await sent(api, key, { name: "order.paid" });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  await sent(api, key, { name: "order.paid" });
  await expect
    .poll(async () => (await get(key)).ticks)
    .toMatchObject([{ state: "skipped", error: { code: "overlap" } }, { state: "started" }]);
});

test("says why an event has started nothing", async () => {
  const { key } = await createPayingKey(api, 100);
  const start = { ...remember, input: { name: "seen", content: "{% event.data.text %}" } };
  await put(key, { start });
  await sent(api, key, { name: "order.paid", data: { text: 7 } });
  await expect
    .poll(async () => (await get(key)).ticks)
    .toMatchObject([{ state: "refused", error: { code: "invalid_request" } }]);
  expect((await get(key)).trigger).toMatchObject({ status: "active", consecutiveFailures: 1 });
});

test("starts nothing by events of other accounts, projects and end users", async () => {
  const { key } = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  await put(key);
  const { project } = (await api.send("POST", "/v1/projects", { key, body: { name: unique("shop") } })).body;
  const event = { name: "order.paid" };
  expect(await sent(api, other.key, event)).toMatchObject({ started: 0 });
  expect(await sent(api, key, event, { "X-Service-Project": project.id })).toMatchObject({ started: 0 });
  expect(await sent(api, key, event, { "X-Service-End-User": "ada" })).toMatchObject({ started: 0 });
  expect((await get(key)).ticks).toEqual([]);
});

test.each([
  ["a name of the platform that is none of its events", { on: { event: "wallet.emptied" } }, "on.event"],
  ["the event that a trigger started nothing", { on: { event: "trigger.failed" } }, "on.event"],
  [
    "a key of the platform's events",
    { on: { event: "project.created", where: [{ path: "key", op: "eq", value: "a" }] } },
    "on.where.0.path",
  ],
  ["two sources", { on: { event: "a", everySeconds: 60 } }, "on"],
  ["conditions on a time", { on: { everySeconds: 60, where: [] } }, "on.where"],
  [
    "an expression in a condition",
    { on: { ...on, where: [{ path: "data.a", op: "eq", value: "{% 1 %}" }] } },
    "on.where.0.value",
  ],
  ["a time to make up for", { on, catchUpSeconds: 60 }, "catchUpSeconds"],
  [
    "an expression that is none",
    { on, start: { ...remember, input: { content: "{% 1 + %}" } } },
    "start.input.content",
  ],
  [
    "a field that the input does not have",
    { on, start: { ...remember, input: { content: "{% 1 %}", text: "" } } },
    "start.input",
  ],
])("refuses %s", async (_, more, path) => {
  const { key } = await createPayingKey(api, 10);
  const { status, body } = await invokeTriggers(api, key, "put", { name: "paid", start: remember, ...more });
  expect(status).toBe(400);
  const paths = body.error.issues.map(({ path }: { path: string }) => path);
  expect(paths.some((one: string) => one.startsWith(`body.input.${path}`))).toBe(true);
});

test("demands the right to create runs for sending events that start runs", async () => {
  const { key } = await createPayingKey(api, 10);
  const { key: reader } = await api.createChild(key, { scopes: ["runs:read", "services:invoke"] });
  expect((await sendEvent(api, reader, { name: "order.paid" })).status).toBe(403);
});

test("stops runs that start each other by events after eight", async () => {
  const { key } = await createPayingKey(api, 200);
  const again = { serviceId: "managed-events", operationId: "send", input: { name: "ping" } };
  const steps = [{ id: "again", type: "invoke", ...again }];
  const start = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Ping", steps } },
  };
  const { id } = await put(key, { on: { event: "ping" }, start });
  const engine = await startRuns(api);
  expect(await sent(api, key, { name: "ping" })).toMatchObject({ started: 1 });
  const refused = { state: "refused", runId: null, error: { code: "loop_detected" } };
  await expect.poll(async () => (await get(key)).ticks[0]).toMatchObject(refused);
  const started = await runsOf(api, key, id);
  expect(started).toHaveLength(9);
  await expect
    .poll(async () => (await runsOf(api, key, id)).map(({ status }: { status: string }) => status))
    .toEqual(started.map(() => "succeeded"));
  expect((await runsOf(api, key, id)).at(-1)?.result.output).toMatchObject({ started: 0 });
  expect((await get(key)).trigger).toMatchObject({ status: "active", lastError: { code: "loop_detected" } });
  // An event sent from outside is not part of a loop.
  expect(await sent(api, key, { name: "ping" })).toMatchObject({ started: 1 });
  await engine.stop();
});

test("replays events that have started no run", async () => {
  const { key } = await createPayingKey(api, 100);
  const text = { ...remember, input: { name: "seen", content: "{% event.data.text %}" } };
  const { id } = await put(key, { start: text });
  const { eventId } = await sent(api, key, { name: "order.paid", data: { text: 7 } });
  await sent(api, key, { name: "order.paid", data: { text: 8 } });
  const statesOf = async () => (await get(key)).ticks.map(({ state }: { state: string }) => state);
  await expect.poll(statesOf).toEqual(["refused", "refused"]);
  const start = { ...remember, input: { name: "seen", content: "{% $string(event.data.text) %}" } };
  await put(key, { start });
  const one = await triggersDo(api, key, "replay", { name: "paid", eventId });
  expect(one).toMatchObject({ trigger: { id }, replayed: 1 });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  expect((await runsOf(api, key, id))[0].input.content).toBe("7");
  const again = await invokeTriggers(api, key, "replay", { name: "paid", eventId });
  expect(again.body.error).toMatchObject({
    code: "state_conflict",
    message: expect.stringContaining("run_"),
  });
  expect(await triggersDo(api, key, "replay", { name: "paid" })).toMatchObject({ replayed: 1 });
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
  expect(await triggersDo(api, key, "replay", { name: "paid" })).toMatchObject({ replayed: 0 });
  const strange = { name: "paid", eventId: "sev_00000000000000000000000000" };
  expect((await invokeTriggers(api, key, "replay", strange)).body.error).toMatchObject({ code: "not_found" });
});

test("lets ten thousand events wait for their runs, exactly, and others again once some have started", async () => {
  const { key } = await createPayingKey(api, 100);
  const trigger = await put(key);
  await triggersDo(api, key, "pause", { name: "paid" });
  const { eventId } = await sent(api, key, { name: "order.paid" });
  // As calls would send them.
  for (let hundreds = 0; hundreds < 100; hundreds++)
    await api.platform.database.client`
      select send_event(e.account_id, uuidv7(), e.project_id, e.end_user_id, e.space, e.name, null, null, e.data,
        e.privacy_tier, '{}', null, ${2 ** 40})
      from sent_events e, generate_series(1, ${hundreds === 99 ? 98 : 100}) where e.id = ${uuidOf("sentEvent", eventId)}`;
  const started = [];
  for (let nth = 0; nth < 3; nth++) started.push((await sent(api, key, { name: "order.paid" })).started);
  expect(started).toEqual([1, 0, 0]);
  expect((await get(key)).trigger.lastError).toMatchObject({ code: "quota_exceeded" });
  await triggersDo(api, key, "resume", { name: "paid" });
  await expect.poll(async () => (await runsOf(api, key, trigger.id)).length).toBeGreaterThan(0);
  await expect.poll(async () => (await sent(api, key, { name: "order.paid" })).started).toBe(1);
  await triggersDo(api, key, "delete", { name: "paid" });
});

test("lets twenty triggers begin at one event", async () => {
  const { key } = await createPayingKey(api, 100);
  const names = Array.from({ length: 22 }, (_, nth) => `paid-${nth}`);
  const answers = await Promise.all(
    names.map((name) => invokeTriggers(api, key, "put", { name, on, start: remember })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body.error.code)).toEqual(["quota_exceeded", "quota_exceeded"]);
  expect(await sent(api, key, { name: "order.paid" })).toMatchObject({ started: 20 });
  const kept = names[answers.findIndex(({ status }) => status === 200)];
  expect((await triggersDo(api, key, "put", { name: kept, on, start: remember })).trigger.name).toBe(kept);
});
