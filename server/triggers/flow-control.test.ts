import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startRuns } from "#server/testing/runs.ts";
import { sent } from "#server/testing/sent-events.ts";
import { invokeTriggers, remember, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const workers = [await startTriggers(api), await startRuns(api)];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

const on = { event: "page.changed" };
const flow = {
  tags: ["pages"],
  priority: 3,
  concurrency: [{ key: "pages", limit: 2, hold: "live" }],
};

test("gives each run that it starts the tags, the priority and the keys of its start", async () => {
  const { key } = await createPayingKey(api, 100);
  const start = { ...remember, ...flow };
  const { trigger } = await triggersDo(api, key, "put", { name: "pages", on, start });
  expect(trigger.start).toMatchObject({ ...flow, debounce: null });
  await sent(api, key, { name: "page.changed", data: {} });
  await expect.poll(() => runsOf(api, key, trigger.id)).toMatchObject([flow]);
});

test("starts one run of events that come in a burst, with the last of them", async () => {
  const { key } = await createPayingKey(api, 100);
  const start = {
    ...remember,
    input: { name: "page", content: "{% event.data.text %}" },
    debounce: { key: "pages", seconds: 5 },
  };
  const { trigger } = await triggersDo(api, key, "put", { name: "pages", on, start });
  for (const text of ["one", "two", "three"]) await sent(api, key, { name: "page.changed", data: { text } });
  const ticks = async () => (await triggersDo(api, key, "get", { name: "pages" })).ticks;
  const stateOf = ({ state }: { state: string }) => state;
  await expect.poll(async () => (await ticks()).map(stateOf)).toEqual(["started", "started", "started"]);
  await expect
    .poll(() => runsOf(api, key, trigger.id))
    .toMatchObject([{ status: "succeeded", input: { name: "page", content: "three" } }]);
  const [run] = await runsOf(api, key, trigger.id);
  expect(new Set((await ticks()).map(({ runId }: { runId: string }) => runId))).toEqual(new Set([run.id]));
});

test("refuses to wait for a quiet period of a schedule, or beside another overlap than allow", async () => {
  const { key } = await createPayingKey(api, 100);
  const start = { ...remember, debounce: { key: "pages", seconds: 5 } };
  const schedule = { name: "pages", on: { everySeconds: 60 }, start };
  const skipping = { name: "pages", on, start, overlap: "skip" };
  for (const [input, path] of [
    [schedule, "body.input.start.debounce"],
    [skipping, "body.input.overlap"],
  ] as const) {
    const { status, body } = await invokeTriggers(api, key, "put", input);
    expect({ status, path: body.error.issues[0].path }).toEqual({ status: 400, path });
  }
});
