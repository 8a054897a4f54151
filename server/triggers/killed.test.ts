import { once } from "node:events";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { remember, runsOf, setClock, startTriggerProcess, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const BOUNDARIES = ["ticks", "chosen", "started", "released"];

test("starts one run for each time, wherever workers are killed and whatever their clocks say", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const put = (name: string) =>
    triggersDo(api, key, "put", { name, on: { everySeconds: 60 }, start: remember, overlap: "allow" });
  const triggers = await Promise.all(["one", "two", "three", "four"].map(put));
  const children = await Promise.all(
    BOUNDARIES.map((boundary) => startTriggerProcess(api, "--kill-at", boundary)),
  );
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  await setClock(api, 125_000);
  expect((await ended).map(([, signal]) => signal)).toEqual(BOUNDARIES.map(() => "SIGKILL"));

  // Two that live disagree about the time by a minute; the database's clock decides.
  const living = await Promise.all([
    startTriggerProcess(api, "--ahead=30000"),
    startTriggerProcess(api, "--ahead=-30000"),
  ]);
  await setClock(api, 605_000);
  for (const { trigger } of triggers) {
    const firstAt = Date.parse(trigger.nextAt);
    await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(10);
    const times = (await runsOf(api, key, trigger.id)).map(
      ({ scheduledAt }) => Date.parse(scheduledAt) - firstAt,
    );
    expect(times).toEqual(Array.from({ length: 10 }, (_, nth) => nth * 60_000));
    const { ticks } = await triggersDo(api, key, "get", { name: trigger.name });
    expect(new Set(ticks.map(({ state }: { state: string }) => state))).toEqual(new Set(["started"]));
  }
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  // Four puts, and a credit held for each run.
  expect(balance).toMatchObject({ availableCredits: 10_000 - 4 - 40, reservedCredits: 40 });
  for (const child of living) child.kill("SIGKILL");
});
