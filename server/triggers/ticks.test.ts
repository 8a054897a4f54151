import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startRuns } from "#server/testing/runs.ts";
import { pause, remember, runsOf, setClock, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const HOUR = 3_600_000;
const workers = [await startRuns(api), await startTriggers(api)];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

const put = (key: string, name: string, more: object) =>
  triggersDo(api, key, "put", { name, on: { everySeconds: 600 }, start: remember, ...more });
const get = (key: string, name: string) => triggersDo(api, key, "get", { name });
const statesOf = async (key: string, name: string) =>
  (await get(key, name)).ticks.map(({ state }: { state: string }) => state);

test("starts a run at its time, as its owner, which knows the time", async () => {
  const { key, apiKey } = await createPayingKey(api, 1000);
  const workflow = {
    name: "Report",
    steps: [{ id: "pause", type: "wait", seconds: 0 }],
    output: "{% input %}",
  };
  const start = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow, input: { day: 1 } },
  };
  const at = new Date(Date.now() + 5000).toISOString();
  const { trigger } = await put(key, "once", { on: { at }, start });
  expect(trigger).toMatchObject({ status: "active", nextAt: at, ownerKeyId: apiKey.id });
  await expect.poll(() => runsOf(api, key, trigger.id)).toMatchObject([{ status: "succeeded" }]);
  const [run] = await runsOf(api, key, trigger.id);
  expect(run).toMatchObject({
    triggerId: trigger.id,
    scheduledAt: at,
    result: { output: { day: 1, scheduledAt: at } },
  });
  const ended = await get(key, "once");
  expect(ended).toMatchObject({
    trigger: { status: "ended", nextAt: null, lastRunId: run.id, lastError: null },
    nextTimes: [],
    ticks: [{ scheduledAt: at, kind: "schedule", state: "started", runId: run.id, error: null }],
  });
});

test("catches up on missed times as far as catchUpSeconds allows", async () => {
  const { key } = await createPayingKey(api, 1000);
  const late = { overlap: "allow", catchUpSeconds: 3600 };
  const { trigger } = await put(key, "late", late);
  const strict = await put(key, "strict", { ...late, catchUpSeconds: 0 });
  await setClock(api, 3 * HOUR);
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(6);
  const times = (await runsOf(api, key, trigger.id)).map(({ scheduledAt }) => Date.parse(scheduledAt));
  expect(times.map((time) => (time - (times[0] ?? 0)) / 60_000)).toEqual([0, 10, 20, 30, 40, 50]);
  await expect.poll(() => statesOf(key, "strict")).toEqual(["missed"]);
  expect(await runsOf(api, key, strict.trigger.id)).toEqual([]);
  const { nextTimes } = await get(key, "strict");
  expect(Date.parse(nextTimes[0])).toBeGreaterThan(Date.now() + 3 * HOUR);
  await setClock(api, 0);
});

test("handles overlapping runs as configured", async () => {
  const { key } = await createPayingKey(api, 1000);
  const ids: Record<string, string> = {};
  for (const overlap of ["skip", "queue_one", "allow", "cancel_previous"]) {
    const { trigger } = await put(key, overlap.replace("_", "-"), {
      overlap,
      start: pause,
      catchUpSeconds: 7200,
    });
    ids[overlap] = trigger.id;
  }
  const runs = (overlap: string) => runsOf(api, key, defined(ids[overlap]));
  const ended = async (overlap: string) =>
    (await runs(overlap)).filter(({ finishedAt }) => finishedAt).length;
  await setClock(api, 605_000);
  for (const overlap of Object.keys(ids)) await expect.poll(() => runs(overlap)).toHaveLength(1);
  await setClock(api, 605_000 + 3 * 600_000);
  await expect.poll(() => runs("allow")).toHaveLength(4);
  await expect.poll(() => statesOf(key, "skip")).toEqual(["skipped", "skipped", "skipped", "started"]);
  await expect.poll(() => statesOf(key, "queue-one")).toEqual(["skipped", "skipped", "waiting", "started"]);
  await expect
    .poll(() => statesOf(key, "cancel-previous"))
    .toEqual(["started", "skipped", "skipped", "started"]);
  await expect.poll(() => ended("cancel_previous")).toBe(1);
  const [first] = await runs("queue_one");
  await api.send("POST", `/v1/runs/${first.id}/cancel`, { key, body: {} });
  await expect.poll(() => statesOf(key, "queue-one")).toEqual(["skipped", "skipped", "started", "started"]);
  expect(await runs("queue_one")).toHaveLength(2);
  expect([await runs("skip"), await runs("allow")].map(({ length }) => length)).toEqual([1, 4]);
  await setClock(api, 0);
});

test("starts by hand at once, and for times past one after the other", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { trigger } = await put(key, "by-hand", { on: { cron: "0 * * * *" }, start: remember });
  await triggersDo(api, key, "pause", { name: "by-hand" });
  const fired = await Promise.all([1, 2].map(() => triggersDo(api, key, "fire", { name: "by-hand" })));
  expect(new Set(fired.map(({ scheduledAt }) => scheduledAt)).size).toBe(2);
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(2);
  const from = "2026-01-01T00:00:00.000Z";
  const to = "2026-01-01T03:00:00.000Z";
  const asked = await triggersDo(api, key, "backfill", { name: "by-hand", from, to });
  expect(asked).toMatchObject({ asked: 3, left: 0, trigger: { status: "paused", pausedReason: "manual" } });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(5);
  const again = await triggersDo(api, key, "backfill", {
    name: "by-hand",
    from,
    to: "2026-01-01T04:00:00.000Z",
  });
  expect(again).toMatchObject({ asked: 1, left: 3 });
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(6);
  const runs = (await runsOf(api, key, trigger.id)).slice(0, 3);
  expect(runs.map(({ scheduledAt }) => scheduledAt)).toEqual(
    [0, 1, 2].map((hour) => `2026-01-01T0${hour}:00:00.000Z`),
  );
  for (const [nth, run] of runs.entries())
    if (nth > 0) expect(run.createdAt >= runs[nth - 1].finishedAt).toBe(true);
});

test("pauses after as many failures in a row as it says, with an event", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  await listen(api, accountId);
  const workflow = {
    name: "Fails",
    steps: [{ id: "gone", type: "operation", operation: "runs.read", params: { runId: "x" } }],
  };
  const start = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const { trigger } = await put(key, "failing", { start, pauseAfterFailures: 2 });
  await triggersDo(api, key, "fire", { name: "failing" });
  await expect
    .poll(async () => (await get(key, "failing")).trigger)
    .toMatchObject({ status: "active", consecutiveFailures: 1 });
  await triggersDo(api, key, "fire", { name: "failing" });
  await expect
    .poll(async () => (await get(key, "failing")).trigger)
    .toMatchObject({ status: "paused", pausedReason: "failing", consecutiveFailures: 2, nextAt: null });
  const paused = (await eventsKept(api, accountId)).filter(({ type }) => type.startsWith("trigger."));
  expect(paused).toMatchObject([
    { type: "trigger.paused", data: { trigger: { id: trigger.id, pausedReason: "failing" } } },
  ]);
  const resumed = await triggersDo(api, key, "resume", { name: "failing" });
  expect(resumed.trigger).toMatchObject({ status: "active", pausedReason: null, consecutiveFailures: 0 });
  expect(await runsOf(api, key, trigger.id)).toHaveLength(2);
});
