import { once } from "node:events";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { sent } from "#server/testing/sent-events.ts";
import { remember, runsOf, startTriggerProcess, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const BOUNDARIES = ["chosen", "started", "released"];
const EVENTS = 60;

test("starts one run for each event, wherever workers are killed", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const put = (name: string) =>
    triggersDo(api, key, "put", { name, on: { event: "order.paid" }, start: remember });
  const triggers = await Promise.all(["one", "two", "three"].map(put));
  const children = await Promise.all(
    BOUNDARIES.map((boundary) => startTriggerProcess(api, "--kill-at", boundary)),
  );
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  const send = async (nth: number) =>
    expect(await sent(api, key, { name: "order.paid", key: String(nth) })).toMatchObject({ started: 3 });
  const numbers = Array.from({ length: EVENTS }, (_, nth) => nth);
  await Promise.all(numbers.slice(0, EVENTS / 2).map(send));
  expect((await ended).map(([, signal]) => signal)).toEqual(BOUNDARIES.map(() => "SIGKILL"));
  const living = await Promise.all([startTriggerProcess(api), startTriggerProcess(api)]);
  await Promise.all(numbers.slice(EVENTS / 2).map(send));
  for (const { trigger } of triggers)
    await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(EVENTS);
  for (const child of living) child.kill("SIGKILL");
});
