import { once } from "node:events";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { runsOf, startTriggerProcess, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const BOUNDARIES = ["chosen", "started"];
const DELIVERIES = 200;

test("starts one run for each of many deliveries at once, wherever workers are killed", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const triggers = await Promise.all(
    ["one", "two"].map((name) => putInbound(api, key, { scheme: "none" }, { name })),
  );
  const children = await Promise.all(
    BOUNDARIES.map((boundary) => startTriggerProcess(api, "--kill-at", boundary)),
  );
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  const numbers = Array.from({ length: DELIVERIES }, (_, nth) => nth);
  // Like providers, repeats deliveries that were not accepted.
  const send = async (nth: number) => {
    const { address } = defined(triggers[nth % triggers.length]);
    for (;;) {
      const { status } = await deliver(api, address, JSON.stringify({ nth }));
      if (status !== 503) return status;
    }
  };
  const statuses = await Promise.all(numbers.map(send));
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect((await ended).map(([, signal]) => signal)).toEqual(BOUNDARIES.map(() => "SIGKILL"));
  const living = await startTriggerProcess(api);
  for (const [place, { id, name }] of triggers.entries()) {
    const count = numbers.filter((nth) => nth % triggers.length === place).length;
    await expect.poll(() => runsOf(api, key, id), { interval: 1000, timeout: 200_000 }).toHaveLength(count);
    const { ticks } = await triggersDo(api, key, "get", { name });
    expect(new Set(ticks.map(({ state }: { state: string }) => state))).toEqual(new Set(["started"]));
  }
  // Repeats deliveries whose runs were started long ago.
  expect(new Set(await Promise.all(numbers.map(send)))).toEqual(new Set([202]));
  for (const [place, { id }] of triggers.entries())
    expect(await runsOf(api, key, id)).toHaveLength(
      numbers.filter((nth) => nth % triggers.length === place).length,
    );
  living.kill("SIGKILL");
});
