import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

async function provisioned() {
  const root = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key: root.key, body: {} });
  return root;
}

/** Returns the milliseconds that reading a long result takes. */
async function readingMs(key: string, { rows, maxRows }: { rows: number; maxRows: number }): Promise<number> {
  const columns = Array.from({ length: 8 }, (_, nth) => `md5((n + ${nth})::text)`).join();
  const sql = `select n, ${columns} from generate_series(1, ${rows}) n`;
  const startedAt = performance.now();
  const { status, body } = await api.send("POST", "/v1/databases/query", {
    key,
    body: { sql, maxRows, rowMode: "array" },
    idempotencyKey: null,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ rowCount: maxRows, truncated: maxRows < rows });
  return performance.now() - startedAt;
}

async function shortest(rounds: number, read: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await read());
  return Math.min(...times);
}

test.each([
  { rows: 20_000, maxRows: 1 },
  { rows: 10_000, maxRows: 10_000 },
])("a result of $rows rows, $maxRows on a page, leaves time for other accounts", async (result) => {
  const [{ key }, { key: neighbour }] = [await provisioned(), await provisioned()];
  await readingMs(key, result);
  // Other accounts count as present for a second after their last call.
  await sleep(1000);
  const alone = await shortest(3, () => readingMs(key, result));
  let stopped = false;
  const calls = (async () => {
    for (; !stopped; await sleep(100))
      expect((await api.send("GET", "/v1/projects", { key: neighbour })).status).toBe(200);
  })();
  await api.send("GET", "/v1/projects", { key: neighbour });
  const beside = await shortest(3, () => readingMs(key, result));
  stopped = true;
  await calls;
  // Ten calls a second are no load worth mentioning: what is longer are the pauses.
  expect(beside / alone).toBeGreaterThan(1.3);
  expect(beside / alone).toBeLessThan(15);
});

test("a long page arrives whole, and leaves nothing stored unless a cursor leads there", async () => {
  const { key, accountId } = await provisioned();
  const sql = "select n, repeat(chr(97 + n % 26), 900) as text from generate_series(1, 9000) n";
  const expected = Array.from({ length: 9000 }, (_, at) => [
    at + 1,
    String.fromCharCode(97 + ((at + 1) % 26)).repeat(900),
  ]);
  const read = (more: Record<string, unknown>) =>
    api.send("POST", "/v1/databases/query", { key, body: { sql, ...more }, idempotencyKey: null });
  const { cookie } = await signInMember(api, accountId, "viewer");
  const stored = async () => {
    const { data } = await caller(api, cookie).query("storage.read");
    return data.storage.find(({ kind }: { kind: string }) => kind === "results").usedBytes;
  };

  const whole = await read({ maxRows: 10_000 });
  expect(whole.body).toMatchObject({ rowCount: 9000, truncated: false, nextCursor: null });
  expect(whole.body.rows).toEqual(expected);
  await expect.poll(stored).toBe(0);

  const first = await read({ maxRows: 3000, rowMode: "array" });
  expect(first.body).toMatchObject({ rowCount: 3000, truncated: true });
  const second = await read({ maxRows: 10_000, rowMode: "array", cursor: first.body.nextCursor });
  expect(second.body).toMatchObject({ rowCount: 6000, truncated: false, nextCursor: null });
  expect([...first.body.rows, ...second.body.rows]).toEqual(expected);
  expect(await stored()).toBeGreaterThan(0);
});
