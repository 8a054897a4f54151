import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { triggerTicks } from "#db/schema/triggers.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import {
  remember,
  runsOf,
  setClock,
  startTriggerProcess,
  startTriggers,
  triggersDo,
} from "#server/testing/triggers.ts";

const api = await startApi();

const JITTER_SECONDS = 3600;
const spread = { name: "spread", start: remember, overlap: "allow", jitterSeconds: JITTER_SECONDS };
const minutely = { ...spread, on: { cron: "* * * * *" } };
const yearly = { ...spread, on: { cron: "0 0 1 1 *" } };
const BEFORE = new Date("2027-06-01T12:00:30Z");
const AFTER = new Date("2027-06-01T12:05:10Z");
const TIMES = ["12:01", "12:02", "12:03", "12:04", "12:05"].map((time) => `2027-06-01T${time}:00.000Z`);

/** Returns until when the five minutes' ticks without a run are delayed, by their scheduled times. */
async function waitsOf(triggerId: string): Promise<Map<string, number>> {
  const waiting = await api.platform.database.db
    .select()
    .from(triggerTicks)
    .where(and(eq(triggerTicks.triggerId, triggerId), eq(triggerTicks.state, "waiting")));
  return new Map(
    waiting
      .map(({ at, tryAt }) => [at.toISOString(), tryAt?.getTime() ?? 0] as const)
      .filter(([at]) => TIMES.includes(at)),
  );
}

/** Makes the five minutes pass, and waits for a worker to store their ticks. */
async function passMinutes(key: string): Promise<string> {
  await setClock(api, BEFORE);
  const { trigger } = await triggersDo(api, key, "put", minutely);
  await setClock(api, AFTER);
  const timesStored = async () => {
    const { ticks } = await triggersDo(api, key, "get", { name: "spread" });
    return ticks.map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt);
  };
  await expect.poll(timesStored).toEqual(expect.arrayContaining(TIMES));
  return trigger.id;
}

test("delays each run by its own fraction of jitterSeconds, the same with every worker", async () => {
  const { key } = await createPayingKey(api, 1000);
  const worker = await startTriggers(api);
  const triggerId = await passMinutes(key);
  const first = await waitsOf(triggerId);
  const delays = [...first].map(([at, tryAt]) => tryAt - Date.parse(at));
  expect(delays.filter((delay) => delay < 0 || delay >= JITTER_SECONDS * 1000)).toEqual([]);
  expect(new Set(delays).size).toBe(first.size);

  // With another schedule no tick of these minutes is waiting, and another process makes them pass once more.
  await worker.stop();
  await triggersDo(api, key, "put", yearly);
  expect(await waitsOf(triggerId)).toEqual(new Map());
  const child = await startTriggerProcess(api);
  await passMinutes(key);
  const second = await waitsOf(triggerId);
  // A tick with a short delay may have started its run between two reads.
  const again = [...second].filter(([at]) => first.has(at));
  expect(again.length).toBeGreaterThanOrEqual(2);
  expect(again).toEqual([...first].filter(([at]) => second.has(at)));

  const [earliest = ["", 0], ...later] = [...second].sort(([, one], [, other]) => one - other);
  const [latest] = later.at(-1) ?? [""];
  await setClock(api, new Date(earliest[1] + 500));
  const startedTimes = async () =>
    (await runsOf(api, key, triggerId)).map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt);
  await expect.poll(startedTimes).toContain(earliest[0]);
  expect(await startedTimes()).not.toContain(latest);
  child.kill("SIGKILL");
});
