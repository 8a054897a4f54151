import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { newId } from "#server/base/ids.ts";
import { lastCallBeside, noteCaller } from "#server/operation/last-callers.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase } from "#server/testing/transfers.ts";
import { inSlice, resultTurn } from "./result-turns.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

/** Keeps the event loop busy. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

/** Runs slices for these accounts side by side; returns the time that passed for each millisecond of them. */
async function timeOfSlices(accounts: readonly string[]): Promise<{ ratio: number; order: string[] }> {
  const order: string[] = [];
  let worked = 0;
  const startedAt = performance.now();
  await Promise.all(
    accounts.map(async (account) => {
      for (let nth = 0; nth < 20; nth++) {
        await resultTurn(account);
        const began = performance.now();
        inSlice(() => work(2));
        worked += performance.now() - began;
        order.push(account);
      }
    }),
  );
  return { ratio: (performance.now() - startedAt) / worked, order };
}

test("gives slices of results a quarter of the time while other accounts make calls, in turns", async () => {
  const [one, other] = [newId("account"), newId("account")];
  noteCaller(newId("account"), performance.now());
  const { ratio, order } = await timeOfSlices([one, other]);
  // A slice that others' load prolongs is followed by a pause of 50 ms at most.
  expect(ratio).toBeGreaterThan(2);
  // Of the first slices, each has its share.
  const first = order.slice(0, 20).filter((account) => account === one).length;
  expect(Math.abs(first - 10)).toBeLessThanOrEqual(2);
});

test("lets slices of results wait for nothing while no other account makes calls", async () => {
  const account = newId("account");
  // Those of the tests before count as present for a second.
  await sleep(1100);
  let hasPaused = false;
  setImmediate(() => {
    hasPaused = true;
  });
  for (let nth = 0; nth < 20; nth++) {
    await resultTurn(account);
    inSlice(() => work(2));
  }
  expect(hasPaused).toBe(false);
});

test.each([
  { rows: 20_000, maxRows: 1 },
  { rows: 10_000, maxRows: 10_000 },
])("takes turns until the end of a result of $rows rows, $maxRows on a page", async ({ rows, maxRows }) => {
  const key = await provisionDatabase(api);
  const columns = Array.from({ length: 8 }, (_, nth) => `md5((n + ${nth})::text)`).join();
  const sql = `select n, ${columns} from generate_series(1, ${rows}) n`;
  const startedAt = performance.now();
  const { body } = await api.send("POST", "/v1/databases/query", {
    key,
    body: { sql, maxRows },
    idempotencyKey: null,
  });
  expect(body).toMatchObject({ rowCount: maxRows, truncated: maxRows < rows });
  // Each turn notes the account, as its call did at the beginning.
  const lastTurnMs = lastCallBeside("nobody") - startedAt;
  expect(lastTurnMs / (performance.now() - startedAt)).toBeGreaterThan(0.5);
});

test("a long page arrives whole, and leaves nothing stored unless a cursor leads there", async () => {
  const { key, accountId } = await api.createRootKey();
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
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
