import { once } from "node:events";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, play, runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { sent, waitsOf } from "#server/testing/sent-events.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { db } = api.platform.database;

const journey = (key: string) => [
  { do: "await", name: "go", event: "started", key },
  { do: "step", name: "ours" },
];
const effectsOf = async (ids: string[]) =>
  (
    await db.execute(sql`select run from effects where run = any(${sql.param(ids)}::text[]) order by run`)
  ).map(({ run }) => run);

test("continues once with each event, whichever boundary its worker is killed at", async () => {
  const { key } = await createPayingKey(api, 1000);
  const boundaries = ["before go", "woken go", "after go", "at the end"];
  const children = await Promise.all(boundaries.map(() => startWorkerProcess(api, tmpdir())));
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  const ids = await Promise.all(boundaries.map((killAt) => play(api, key, journey(killAt), {}, killAt)));
  for (const id of ids.slice(1)) await waitsOf(api, key, id);
  for (const boundary of boundaries)
    expect(await sent(api, key, { name: "started", key: boundary })).toMatchObject({
      resumed: boundary === "before go" ? 0 : 1,
    });
  expect((await ended).map(([, signal]) => signal)).toEqual(boundaries.map(() => "SIGKILL"));

  const worker = await startRuns(api);
  for (const [nth, id] of ids.entries()) {
    const run = await runWith(api, key, id, "succeeded");
    expect(run.result.results[0].event).toMatchObject({ name: "started", key: boundaries[nth] });
  }
  await worker.stop();
  expect(await effectsOf(ids)).toEqual(ids.toSorted());
});

test("loses no event that is sent while its step begins to wait, with two workers", async () => {
  const { key } = await createPayingKey(api, 5000);
  const workers = [
    await startRuns(api, { slots: 8, perAccount: 8 }),
    await startRuns(api, { slots: 8, perAccount: 8 }),
  ];
  const lanes = Array.from({ length: 10 }, (_, lane) =>
    Array.from({ length: 100 }, (_, nth) => `k${lane}-${nth}`),
  );
  const resumed = [0, 0];
  const ids = await Promise.all(
    lanes.map(async (keys) => {
      const waits = keys.map((one) => ({ do: "await", name: one, event: "started", key: one }));
      const id = await play(api, key, [...waits, { do: "step", name: "ours" }]);
      // Each event is sent a little later than the previous one if that came before its wait, otherwise a little
      // earlier, so that all arrive close to the start of the wait.
      let delayMs = 0;
      for (const one of keys) {
        await setTimeout(delayMs);
        const event = await sent(api, key, { name: "started", key: one, data: one });
        resumed[event.resumed] = (resumed[event.resumed] ?? 0) + 1;
        delayMs = event.resumed === 0 ? delayMs + 2 : Math.max(0, delayMs - 2);
      }
      return id;
    }),
  );
  for (const [nth, id] of ids.entries()) {
    const { result } = await runWith(api, key, id, "succeeded");
    const events = result.results.slice(0, -1).map(({ event }: { event: { data: string } }) => event.data);
    expect(events).toEqual(lanes[nth]);
  }
  expect(resumed.every((count) => count > 10)).toBe(true);
  expect(await effectsOf(ids)).toEqual(ids.toSorted());
  await Promise.all(workers.map((worker) => worker.stop()));
});
