import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectionsOf } from "#db/connections.ts";
import { holdLiveness } from "#server/liveness.ts";
import { startSealer } from "../audit/seal-events.ts";
import { startWorker } from "../jobs/worker.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startApi } from "../testing/api.ts";
import { createTestDatabase } from "../testing/database.ts";
import { startWebhooks } from "../webhooks/worker.ts";
import { checkConnections, explainMissingStandby } from "./connections.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("lets a process start that the database can serve", async () => {
  await expect(checkConnections(database.url, 8)).resolves.toBe(undefined);
});

test("refuses a start that would exceed max_connections, naming the sum", async () => {
  const sql = postgres(database.url, { max: 3 });
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`));
  const [row] = await sql`select current_setting('max_connections')::int - 3 as allowed`;
  const allowed: number = row?.allowed;
  await expect(checkConnections(database.url, allowed - 2)).rejects.toThrow(
    new RegExp(
      `^The database allows ${allowed} connections; \\d+ are in use and this process needs ${allowed - 2}, \\d+ in all\\. Raise max_connections, or start fewer processes\\.$`,
    ),
  );
  await sql.end();
});

test("refuses a start whose clock differs from the database's by more than 30 s, naming the difference", async () => {
  const rightNow = Date.now;
  Date.now = () => rightNow() - 60_000;
  onTestFinished(() => {
    Date.now = rightNow;
  });
  await expect(checkConnections(database.url, 8)).rejects.toThrow(
    /^This process's clock is [56]\d\.\d s behind the database's\. Synchronise the clocks of both machines\.$/,
  );
  Date.now = () => rightNow() + 5000;
  await expect(checkConnections(database.url, 8)).resolves.toBe(undefined);
});

test("warns about wallets on a database without a synchronous standby", async () => {
  expect(await explainMissingStandby(database.url)).toMatch(/^The database has no synchronous standby: /);
});

test("opens no more connections than it declares, with every part at work", async () => {
  const busy = await createTestDatabase();
  const { platform } = await startApi({ database: busy });
  const { admission, client } = platform.database;
  const liveness = await holdLiveness(busy.url);
  const parts = [
    await startWorker({ url: busy.url, liveness, tasks: { nap: () => sleep(300) } }),
    await startRunEngine({ url: busy.url, directUrl: busy.url, liveness }),
    startSealer(busy.url),
    startWebhooks(platform, busy.url, liveness.name),
  ];
  await client`select graphile_worker.add_job('nap', '{}') from generate_series(1, 20)`;
  await Promise.all(
    [admission, client].flatMap((pool) => Array.from({ length: 20 }, () => pool`select pg_sleep(0.05)`)),
  );
  const [row] = await client`
    select count(*)::int as open from pg_stat_activity where datname = current_database()`;
  for (const part of parts) await part.stop();
  await liveness.release();
  expect(row?.open).toBeGreaterThan(connectionsOf("web", false));
  expect(row?.open).toBeLessThanOrEqual(connectionsOf("all", false));
});
