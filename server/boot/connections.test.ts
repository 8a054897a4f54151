import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CONNECTIONS, connectionsOf } from "#db/connections.ts";
import { keysOf } from "../base/keys-of.ts";
import { makeSchedule } from "../jobs/tasks.ts";
import { setOperator } from "../members/set-operator.ts";
import { startRelayer } from "../swaps/relayer/relayer.ts";
import { startApi } from "../testing/api.ts";
import { startTestChain } from "../testing/chain.ts";
import { caller, signUpAndIn } from "../testing/console.ts";
import { createTestDatabase } from "../testing/database.ts";
import { startLoops } from "../testing/load.ts";
import { checkConnections, explainMissingStandby } from "./connections.ts";
import { type Stop, stopAll } from "./run-process.ts";
import { startWork } from "./work.ts";

const chain = await startTestChain();
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("lets a process start that the database can serve", async () => {
  await expect(checkConnections(database.url, 8)).resolves.toBe(undefined);
});

test("refuses a start that would exceed max_connections, naming the sum", async () => {
  const others = postgres(database.url, { max: 3 });
  await Promise.all([1, 2, 3].map(() => others`select pg_sleep(0.1)`));
  const [row] = await others`select current_setting('max_connections')::int - 3 as allowed`;
  const allowed: number = row?.allowed;
  await expect(checkConnections(database.url, allowed - 2)).rejects.toThrow(
    new RegExp(
      `^The database allows ${allowed} connections; \\d+ are in use and this process needs ${allowed - 2}, \\d+ in all\\. Raise max_connections, or start fewer processes\\.$`,
    ),
  );
  await others.end();
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

type Api = Awaited<ReturnType<typeof startApi>>;

/** Starts the parts of a process of each role beside the platform itself. */
const ROLES = {
  async web(api: Api, stops: Stop[]) {
    stops.push(await api.platform.changes.listen(api.databaseUrl));
    const person = await signUpAndIn(api);
    await api.platform.database.db.transaction((tx) => setOperator(tx, person.email, true));
    await Promise.all([
      api.mustSend(200, "GET", "/health"),
      caller(api, person.cookie).query("installation.read"),
    ]);
  },
  async worker({ platform, databaseUrl }: Api, stops: Stop[]) {
    await startWork(platform, { databaseUrl, directUrl: databaseUrl }, stops);
    const names = makeSchedule().split("\n");
    const { client } = platform.database;
    for (const name of names) await client`select graphile_worker.add_job(${String(name.split(" ")[5])})`;
    await expect.poll(() => client`select from graphile_worker.jobs`).toHaveLength(0);
  },
  async relayer({ databaseUrl: directUrl }: Api, stops: Stop[]) {
    stops.push(startRelayer({ directUrl, account: chain.accounts.relayer }).stop);
  },
};

test.each(keysOf(ROLES))(
  "a process of the role %s opens no more connections than it declares, with every part at work",
  async (role) => {
    const busy = await createTestDatabase();
    const name = new URL(busy.url).pathname.slice(1);
    const watcher = postgres(busy.url.replace(/[^/]*$/, "postgres"), { max: 1 });
    onTestFinished(() => watcher.end());
    const counts: number[] = [];
    const counting = startLoops([
      {
        pauseMs: 20,
        async work() {
          const [row] = await watcher`select count(*)::int as open from pg_stat_activity
            where datname = ${name} and backend_type = 'client backend'`;
          counts.push(row?.open);
        },
      },
    ]);
    const api = await startApi({ database: busy, settings: { chains: [chain.settings] } });
    const stops: Stop[] = [];
    await ROLES[role](api, stops);
    const { admission, client, db } = api.platform.database;
    const twenty = (work: () => PromiseLike<unknown>) => Array.from({ length: 20 }, work);
    await Promise.all([
      ...[admission, client].flatMap((pool) => twenty(() => pool`select pg_sleep(0.05)`)),
      ...twenty(() => db.transaction((tx) => tx.execute(sql`select pg_sleep(0.05)`))),
    ]);
    await counting.stop();
    await stopAll(stops);
    const { admission: admitting, handlers, transactions, liveness } = CONNECTIONS;
    expect(Math.max(...counts)).toBeGreaterThan(admitting + handlers + transactions + liveness);
    expect(Math.max(...counts)).toBeLessThanOrEqual(connectionsOf(role, false));
  },
);
