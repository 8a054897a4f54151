import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const workers: Awaited<ReturnType<typeof startRuns>>[] = [];
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));
const put = { serviceId: "managed-memory", operationId: "put", input: { content: "First things first." } };

async function queue(
  key: string,
  { priority, ...more }: { priority?: number; concurrency?: object[] } = {},
): Promise<string> {
  const chosen = { ...more, ...(priority !== undefined && { priority }) };
  const { status, body } = await createRun(api, key, { ...put, ...chosen });
  expect({ status, priority: body.run.priority }).toEqual({ status: 202, priority: priority ?? 0 });
  return body.run.id;
}

/** Returns the runs in the order in which one worker executes them. */
async function orderOf(...runs: { key: string; id: string }[]): Promise<string[]> {
  workers.push(await startRuns(api, { slots: 1, perAccount: 1 }));
  const ended = await Promise.all(runs.map(({ key, id }) => runWith(api, key, id, "succeeded")));
  await workers.pop()?.stop();
  return ended.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)).map(({ id }) => id);
}

test("claims an account's runs by priority, and in order of creation within one", async () => {
  const { key } = await createPayingKey(api, 100);
  const low = await queue(key, { priority: -10 });
  const first = await queue(key);
  const second = await queue(key, { priority: 0 });
  const high = await queue(key, { priority: 10 });
  const all = [low, first, second, high].map((id) => ({ key, id }));
  expect(await orderOf(...all)).toEqual([high, first, second, low]);
});

test("takes the run of highest priority first beside many concurrency keys that were asked for before", async () => {
  const { key } = await createPayingKey(api, 100);
  const concurrency = (name: string) => [{ key: name, limit: 1 }];
  const runs = [];
  for (let nth = 0; nth < 20; nth++)
    runs.push({ key, id: await queue(key, { concurrency: concurrency(`key-${nth}`) }) });
  const high = await queue(key, { priority: 10, concurrency: concurrency("urgent") });
  expect((await orderOf(...runs, { key, id: high }))[0]).toBe(high);
});

test("keeps priority within its account: another's run is not delayed by it", async () => {
  const urgent = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  const runs = [{ key: other.key, id: await queue(other.key, { priority: -10 }) }];
  for (let nth = 0; nth < 4; nth++)
    runs.push({ key: urgent.key, id: await queue(urgent.key, { priority: 10 }) });
  const order = await orderOf(...runs);
  expect(order.indexOf(runs[0]?.id ?? "")).toBeLessThanOrEqual(1);
});

test("counts each point of priority as a minute of waiting", async () => {
  const { key } = await createPayingKey(api, 100);
  const patient = await queue(key, { priority: -10 });
  const urgent = await queue(key, { priority: 10 });
  // Makes time pass for this run only.
  await api.platform.database.client`
    update runs set ready_at = ready_at - interval '21 minutes' where id = ${uuidOf("run", patient)}`;
  const all = [patient, urgent].map((id) => ({ key, id }));
  expect(await orderOf(...all)).toEqual([patient, urgent]);
});

test("refuses a priority beyond ten, or between two", async () => {
  const { key } = await createPayingKey(api, 100);
  for (const priority of [11, -11, 0.5])
    expect((await createRun(api, key, { ...put, priority })).body.error.issues[0].path).toBe("body.priority");
});
