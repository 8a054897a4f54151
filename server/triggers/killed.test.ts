import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { remember, runsOf, setClock, startTriggerProcess, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const BOUNDARIES = ["ticks", "chosen", "started", "released"];

test("starts one run for each time, wherever workers are killed and whatever their clocks show", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const put = (name: string) =>
    triggersDo(api, key, "put", { name, on: { everySeconds: 60 }, start: remember, overlap: "allow" });
  const triggers = await Promise.all(["one", "two", "three", "four"].map(put));
  const children = await Promise.all(
    BOUNDARIES.map((boundary) => startTriggerProcess(api, "--kill-at", boundary)),
  );
  // Time passes until each of them has had work and was killed by it.
  let minutes = 2;
  const advance = () => setClock(api, minutes++ * 60_000 + 5000);
  await expect
    .poll(
      async () => {
        await advance();
        return children.map((child) => child.signalCode);
      },
      { interval: 2000 },
    )
    .toEqual(BOUNDARIES.map(() => "SIGKILL"));

  // Two live workers disagree about the time by a minute; the database's clock decides.
  const living = await Promise.all([
    startTriggerProcess(api, "--ahead=30000"),
    startTriggerProcess(api, "--ahead=-30000"),
  ]);
  minutes += 5;
  await advance();
  // On a slow machine the triggers have had more minutes by now, and never fewer.
  const least = minutes - 1;
  let held = 0;
  for (const { trigger } of triggers) {
    const count = async () => (await runsOf(api, key, trigger.id)).length;
    await expect.poll(count).toBeGreaterThanOrEqual(least);
    await triggersDo(api, key, "pause", { name: trigger.name });
    const started = await runsOf(api, key, trigger.id);
    const firstAt = Date.parse(trigger.nextAt);
    expect(started.map(({ scheduledAt }) => Date.parse(scheduledAt) - firstAt)).toEqual(
      started.map((_, nth) => nth * 60_000),
    );
    const { ticks } = await triggersDo(api, key, "get", { name: trigger.name });
    expect(new Set(ticks.map(({ state }: { state: string }) => state))).toEqual(new Set(["started"]));
    held += started.length;
  }
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  // Four puts and pauses, and a credit held for each run.
  expect(balance).toMatchObject({ availableCredits: 10_000 - 4 - held, reservedCredits: held });
  for (const child of living) child.kill("SIGKILL");
});
