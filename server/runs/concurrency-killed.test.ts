import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventually } from "#server/testing/eventually.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const RUNS = 300;
const LIMIT = 40;
// Together, the workers run more runs than the key allows.
const WORKERS = 4;
const SLOTS = 16;

const api = await startApi({ settings: { services: [scriptedService()] } });
await createEffects(api);
const { key } = await createPayingKey(api, 100_000);

interface Runs {
  runs: { id: string }[];
  nextCursor: string | null;
}

let under = 0;
let most = 0;
// Counts the concurrent runs, as an outside system sees them.
const peer = await startPeer(async () => {
  under += 1;
  most = Math.max(most, under);
  await new Promise((resolve) => setTimeout(resolve, 500));
  under -= 1;
  return {};
});

/** Runs an action for each item, a few at a time. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const next = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, next));
}

/** Starts a run and returns its id; repeats the call while the machine is too busy. */
async function started(path: string, body: unknown): Promise<string> {
  const idempotencyKey = unique("start");
  for (;;) {
    const { status, body: answer } = await api.send("POST", path, { key, body, idempotencyKey });
    if (status === 202) return answer.run.id;
    if (status !== 503) throw new Error(`No run: ${JSON.stringify(answer)}`);
  }
}

const start = (actions: unknown[], concurrency: unknown[]) =>
  started("/v1/runs", { serviceId: "scripted", operationId: "play", input: { actions }, concurrency });

const list = (query: string): Promise<Runs> => api.mustSend(200, "GET", `/v1/runs?${query}`, { key });

async function countLive(): Promise<number> {
  const pages = ["queued", "running"].map((status) => list(`status=${status}&limit=1`));
  return (await Promise.all(pages)).flatMap(({ runs }) => runs).length;
}

async function listSucceeded(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Runs = await list(`status=succeeded&limit=100${cursor && `&cursor=${cursor}`}`);
    ids.push(...page.runs.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

/** Has workers finish these runs; the first worker is killed during its work. */
async function workThrough(ids: readonly string[]): Promise<void> {
  const before = peer.received.length;
  most = 0;
  const begin = () => startWorkerProcess(api, join(tmpdir(), "concurrency-blobs"), SLOTS);
  const workers = await Promise.all(Array.from({ length: WORKERS }, begin));
  onTestFinished(() => workers.forEach((worker) => void worker.kill("SIGKILL")));
  await expect.poll(() => peer.received.length - before).toBeGreaterThan(ids.length / 5);
  workers[0]?.kill("SIGKILL");
  await eventually(async () => ((await countLive()) === 0 ? true : undefined));
  expect(await listSucceeded()).toEqual(expect.arrayContaining([...ids]));
  await Promise.all(workers.slice(1).flatMap((worker) => [worker.kill("SIGTERM"), once(worker, "exit")]));
}

test("never has more runs under a key than its limit, while workers die and hundreds of runs are retried", async () => {
  const concurrency = [{ key: "crm", limit: LIMIT, hold: "running" }];
  const actions = [{ do: "send", name: "call", url: peer.origin, repeatable: true }];
  const ids: string[] = [];
  await forAll([...Array(RUNS).keys()], async () => ids.push(await start(actions, concurrency)));
  await workThrough(ids);
  expect(most).toBeLessThanOrEqual(LIMIT);

  const retries: string[] = [];
  await forAll(ids, async (id) => retries.push(await started(`/v1/runs/${id}/retry`, {})));
  await workThrough(retries);
  expect(most).toBeLessThanOrEqual(LIMIT);
  expect(new Set(peer.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(2 * RUNS);
}, 600_000);

test("loses no slot of a worker that dies", async () => {
  const worker = await startRuns(api, { slots: SLOTS, perAccount: SLOTS });
  onTestFinished(() => worker.stop());
  const concurrency = [{ key: "crm", limit: LIMIT, hold: "live" }];
  const wait = [{ do: "wait", name: "pause", seconds: 3600 }];
  const ids: string[] = [];
  await forAll([...Array(LIMIT + 1).keys()], async () => ids.push(await start(wait, concurrency)));
  const running = async () =>
    (await api.send("GET", "/v1/runs?status=running&limit=100", { key })).body.runs.length;
  await expect.poll(running).toBe(LIMIT);
  const { body } = await api.send("GET", "/v1/runs?status=queued", { key });
  expect(body.runs).toMatchObject([{ waitingFor: { concurrencyKey: "crm" } }]);
  await forAll(ids, (id) => api.send("POST", `/v1/runs/${id}/cancel`, { key, body: {} }));
});
