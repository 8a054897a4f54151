import { once } from "node:events";
import postgres from "postgres";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startServer } from "#server/testing/server-process.ts";

const api = await startApi();
const put = (content: string) => ({
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: content, content },
});
const batch = (key: string, items: unknown[], idempotencyKey = unique("batch")) =>
  api.send("POST", "/v1/runs/batch", { key, body: { items }, idempotencyKey });
const runsOf = async (key: string) => (await api.send("GET", "/v1/runs?limit=100", { key })).body.runs;

test("creates the runs of a batch, and reports each refusal at its item", async () => {
  const { key } = await createPayingKey(api, 100);
  const items = [
    { ...put("first"), tags: ["batch"], priority: 2 },
    { ...put("bad"), priority: 11 },
    { ...put("unknown"), strange: true },
    { ...put("nowhere"), serviceId: "nowhere" },
    { ...put("last"), debounce: { key: "last", seconds: 3600 } },
  ];
  const repeat = unique("batch");
  const { status, body } = await batch(key, items, repeat);
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { ok: true, run: { input: put("first").input, tags: ["batch"], priority: 2 }, error: null },
    { ok: false, run: null, error: { code: "invalid_request", issues: [{ path: "body.priority" }] } },
    { ok: false, run: null, error: { code: "invalid_request", issues: [{ path: "body.strange" }] } },
    { ok: false, run: null, error: { issues: [] } },
    { ok: true, debounced: true, run: { status: "queued" }, error: null },
  ]);
  expect((await batch(key, items, repeat)).body).toEqual(body);
  expect(await runsOf(key)).toHaveLength(2);
});

test("creates all runs of a batch whose client leaves in the middle of it", async () => {
  const { key } = await createPayingKey(api, 100);
  const items = ["1", "2", "3", "4", "5"].map(put);
  const idempotencyKey = unique("batch");
  const leaving = new AbortController();
  const locker = postgres(api.databaseUrl, { max: 1 });
  await locker.begin(async (sql) => {
    await sql`lock table runs in share mode`;
    const left = batchAt(api.origin, key, items, idempotencyKey, leaving.signal);
    const waiting = "select from pg_locks where not granted and relation = 'runs'::regclass";
    await expect.poll(async () => (await sql.unsafe(waiting)).length).toBeGreaterThan(0);
    leaving.abort();
    expect(await left).toBeNull();
  });
  await locker.end();
  const again = () => batch(key, items, idempotencyKey);
  await expect.poll(async () => (await again()).status).toBe(200);
  expect((await again()).body.results).toMatchObject(items.map(() => ({ ok: true })));
  expect(await runsOf(key)).toHaveLength(items.length);
});

test("counts each item on the limits and the credits of runs.create", async () => {
  const { key: root } = await createPayingKey(api, 3);
  const { key } = await api.createChild(root, { limits: { "runs.create": { requestsPerMinute: 2 } } });
  const limited = await batch(key, [put("1"), put("2"), put("3")]);
  expect(limited.body.results.map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual([
    undefined,
    undefined,
    "limit_exhausted",
  ]);
  const { body } = await batch(root, [put("4"), put("5")]);
  expect(body.results).toMatchObject([{ ok: true }, { ok: false, error: { code: "insufficient_credits" } }]);
});

test("is refused to a key without runs.create, item by item, and without items", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key } = await api.createChild(root, { allowedOperations: ["runs.batch", "runs.list"] });
  const { status, body } = await batch(key, [put("1")]);
  expect({ status, code: body.results[0].error.code }).toEqual({
    status: 200,
    code: "operation_not_allowed",
  });
  expect((await batch(root, [])).status).toBe(400);
  expect(
    (
      await batch(
        root,
        Array.from({ length: 101 }, () => put("1")),
      )
    ).status,
  ).toBe(400);
});

/** Sends a batch to a process; null if the process ends, or `signal` is aborted, before it responds. */
const batchAt = (
  origin: string,
  key: string,
  items: unknown[],
  idempotencyKey: string,
  signal: AbortSignal | null = null,
) =>
  fetch(`${origin}/v1/runs/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    body: JSON.stringify({ items }),
    signal,
  })
    .then(async (response) => ({ status: response.status, body: await response.json() }))
    .catch(() => null);

const ITEMS = [...Array(60).keys()].map((nth) => put(String(nth)));

/**
 * Starts a batch at a process that is killed once so many runs exist; with another key if the batch ended before.
 * Returns the keys of the batch.
 */
async function killedAfter(createKey: () => Promise<string>, runs: number) {
  for (;;) {
    const key = await createKey();
    const killed = await startServer(api.databaseUrl);
    const idempotencyKey = unique("batch");
    const lost = batchAt(killed.origin, key, ITEMS, idempotencyKey);
    const count = async () => (await runsOf(key)).length;
    await expect.poll(count, { interval: 5 }).toBeGreaterThanOrEqual(runs);
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    const answer = await lost;
    await killed.untilGone();
    if (answer === null) return { key, idempotencyKey };
  }
}

test("creates each run once when a process is killed at any time within the batch and another gets it again", async () => {
  const other = await startServer(api.databaseUrl);
  for (const runs of [0, 1, 15, 35]) {
    const createKey = async () => (await createPayingKey(api, 1000)).key;
    const { key, idempotencyKey } = await killedAfter(createKey, runs);
    let answer = await batchAt(other.origin, key, ITEMS, idempotencyKey);
    while (answer?.status !== 200) answer = await batchAt(other.origin, key, ITEMS, idempotencyKey);
    const results: { run: { id: string; input: { name: string } } }[] = answer.body.results;
    expect(results.map(({ run }) => run.input)).toEqual(ITEMS.map(({ input }) => input));
    const created: { id: string }[] = await runsOf(key);
    expect(created.map(({ id }) => id).toSorted()).toEqual(results.map(({ run }) => run.id).toSorted());
    const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
    expect(balance.reservedCredits).toBe(ITEMS.length);
  }
});

test("answers a repeated batch only when it can look up each run that is there", async () => {
  const limits = { "runs.create": { requestsPerMinute: 55 } };
  const { key, idempotencyKey } = await killedAfter(async () => {
    const { key: root } = await createPayingKey(api, 1000);
    return (await api.createChild(root, { limits })).key;
  }, 28);
  // Too few of the minute's calls are left for the runs that the killed process has created.
  const { status, headers, body } = await batch(key, ITEMS, idempotencyKey);
  expect({ status, code: body.error?.code, state: body.error?.operationState }).toEqual({
    status: 429,
    code: "limit_exhausted",
    state: "unknown",
  });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});
