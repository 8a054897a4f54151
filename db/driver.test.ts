import { randomUUID } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { costOf, startClock } from "#server/testing/cpu.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { eventually } from "#server/testing/eventually.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { openPool } from "./client.ts";
import { connect, deadlineOf } from "./connect.ts";

const database = await createTestDatabase();
const admin = connect(database.url, { max: 1 });
const pool = openPool(database.url, 1);
afterAll(async () => {
  await Promise.all([admin.end({ timeout: 5 }), pool.close()]);
  await database.drop();
});
await admin`create table written (n int, text text)`;

const end = (pid: number) => admin`select pg_terminate_backend(${pid}, 5000)`;
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "committed",
    (error) => error.code ?? error.cause?.code ?? error.message,
  );
async function pidIn(tx: { execute(query: ReturnType<typeof sql>): PromiseLike<unknown> }) {
  const [row] = (await tx.execute(sql`select pg_backend_pid() as pid`)) as { pid: number }[];
  return row?.pid as number;
}
const written = async () =>
  (await admin<{ n: number }[]>`select n from written order by n`).map(({ n }) => n);

test("ends a transaction whose connection is lost, and runs nothing of it inside the next one", async () => {
  const begun = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<unknown>();
  const first = pool.db.transaction(async (tx) => {
    await tx.execute(sql`insert into written values (1)`);
    await end(await pidIn(tx));
    begun.resolve();
    await inside.promise;
    const late = tx.execute(sql`insert into written values (10)`);
    resumed.resolve(outcome(late));
    await late;
  });
  const lost = outcome(first);
  await begun.promise;
  const second = pool.db.transaction(async (tx) => {
    await tx.execute(sql`insert into written values (100)`);
    inside.resolve();
    await resumed.promise;
    // If the first transaction went on in this one, its commit comes before the answer.
    await tx.execute(sql`select 1`);
    await tx.execute(sql`insert into written values (1000)`);
    throw new Error("refused");
  });
  expect(await Promise.all([lost, outcome(second)])).toEqual([
    expect.stringMatching(/CONNECTION|57P01/),
    "refused",
  ]);
  expect(await written()).toEqual([]);
});

test("commits nothing of a lost transaction by itself on the connection that follows", async () => {
  const resumed = Promise.withResolvers<void>();
  const late = Promise.withResolvers<Promise<unknown>>();
  const first = pool.db.transaction(async (tx) => {
    await end(await pidIn(tx));
    await resumed.promise;
    late.resolve(outcome(tx.execute(sql`insert into written values (2)`)));
  });
  expect(await outcome(first)).toMatch(/CONNECTION|57P01/);
  // The new connection is idle when the lost transaction continues.
  await pool.db.transaction((tx) => tx.execute(sql`select 1`));
  resumed.resolve();
  expect(await await late.promise).toMatch(/CONNECTION/);
  expect(await written()).toEqual([]);
});

test("answers every query with its own rows though one of them is given up while it waits", async () => {
  const one = connect(database.url, { max: 1 });
  // Every statement is prepared, so that all of them share one pipeline.
  const ask = (n: number) => one<{ n: number }[]>`select ${n}::int as n`.then(([row]) => row?.n);
  await Promise.all([ask(0), one`select 1 as given_up`]);
  for (let round = 0; round < 5; round++) {
    const { busy, answers } = await admin.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(13)`;
      const busy = one`select pg_advisory_xact_lock(13)`.execute();
      const waiting = () =>
        tx`select from pg_locks where locktype = 'advisory' and objid = 13 and not granted`;
      await expect.poll(waiting).toHaveLength(1);
      const givenUp = one`select 1 as given_up`.execute();
      givenUp.catch(() => undefined);
      await setImmediate();
      givenUp.cancel();
      return { busy, answers: [1, 2, 3, 4].map(ask) };
    });
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
    await busy;
  }
  await one.end({ timeout: 5 });
});

test("fails a large statement on a connection that is gone, and the process goes on", async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  const text = "x".repeat(200);
  const outcomes: unknown[] = [];
  for (let round = 0; round < 20; round++) {
    const lost = pool.db.transaction(async (tx) => {
      const gone = end(await pidIn(tx));
      // Some queries are sent before the end is noticed, some while it is, some after.
      for (let n = 0; n < 20; n++) {
        tx.execute(sql`insert into written values (${n}, ${text.repeat(n % 8)})`).catch(() => undefined);
        await sleep(1);
      }
      await gone;
      await tx.execute(sql`insert into written values (3, ${text})`);
    });
    outcomes.push(await outcome(lost));
    expect(await pidIn(pool.db)).toBeGreaterThan(0);
  }
  await sleep(50);
  process.off("uncaughtException", note).off("unhandledRejection", note);
  expect(faults).toEqual([]);
  for (const each of outcomes) expect(each).toMatch(/CONNECTION_|57P01|ECONNRESET|EPIPE/);
  expect(await written()).toEqual([]);
});

const SHAPES = [
  { shape: "has more columns", other: (sql: Sql) => sql`select 1 as n, 2 as m` },
  { shape: "has no column", other: (sql: Sql) => sql`select` },
  { shape: "is no JSON where JSON was asked for", other: (sql: Sql) => sql`select ''` },
];

test.each(SHAPES)("uses no answer that $shape: it ends the connection", async ({ other }) => {
  const lossy = await startLossyDatabase(database.url, /as lost/);
  const sql = connect(lossy.url, { max: 1, fetch_types: false });
  const ask = () => sql`select '{"n": 1}'::json as lost`;
  await Promise.all([ask(), other(sql)]);
  lossy.lose();
  expect(await Promise.all([outcome(ask()), outcome(other(sql))])).toEqual([
    "FOREIGN_ANSWER",
    "FOREIGN_ANSWER",
  ]);
  expect(await ask()).toEqual([{ lost: { n: 1 } }]);
  await sql.end({ timeout: 5 });
});

test("ends the connection of a query that is not answered in time, and the next ones find another", async () => {
  const deadline = deadlineOf(3000);
  const bounded = connect(database.url, {
    max: 1,
    backoff: false,
    deadline,
    connection: { application_name: randomUUID() },
  });
  const [before] = await bounded<{ pid: number }[]>`select pg_backend_pid() as pid`;
  process.kill(defined(before?.pid), "SIGSTOP");
  const clock = startClock();
  const late = await Promise.all(
    [1, 2, 3].map((n) => outcome(bounded`select ${n}::int`.then(() => undefined))),
  );
  const took = clock();
  // While the database seems silent, each waits only briefly; a busy machine takes longer to connect.
  const after = await eventually(() =>
    bounded<{ pid: number }[]>`select pg_backend_pid() as pid`.then(
      ([found]) => found?.pid,
      () => undefined,
    ),
  );
  process.kill(defined(before?.pid), "SIGCONT");
  expect(late).toEqual(["QUERY_TIMEOUT", "QUERY_TIMEOUT", "QUERY_TIMEOUT"]);
  // All of them wait for the same deadline, and a little longer where other load delays the clock.
  expect(took).toBeLessThan(2 * 3000);
  expect(after).not.toBe(before?.pid);
  await bounded.end({ timeout: 5 });
});

test("takes an answer that arrived while the process was busy for longer than its deadline", async () => {
  const bounded = connect(database.url, { max: 1, deadline: deadlineOf(300) });
  await bounded`select 1`;
  const answer = bounded<{ n: number }[]>`select 2 as n`.execute();
  await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  expect([...(await answer)]).toEqual([{ n: 2 }]);
  await bounded.end({ timeout: 5 });
});

test("connects though the process is busy for longer than the time to connect, at whatever step", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const bounded = connect(database.url, { max: 1, connect_timeout: 1 });
    const answer = bounded<{ n: number }[]>`select 2 as n`.execute();
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    expect([...(await answer)]).toEqual([{ n: 2 }]);
    await bounded.end({ timeout: 5 });
  }
});

test("refuses a query that waits behind more queries than a pool holds", async () => {
  const small = connect(database.url, { max: 1 });
  await small`select 1`;
  const asked = Array.from({ length: 2100 }, () =>
    outcome(small`select pg_sleep(0.0001)`.then(() => undefined)),
  );
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((each) => each === "QUEUE_FULL").length).toBeGreaterThan(0);
  expect(outcomes.filter((each) => each === "committed").length).toBeGreaterThanOrEqual(2000);
  await small.end({ timeout: 5 });
});

test("searches a queue as quickly after a hundred thousand items have left it as after ten", async () => {
  const { default: createQueue } = await import(
    new URL("../node_modules/postgres/src/queue.js", import.meta.url).href
  );
  const costAfter = (items: number) => {
    const queue = createQueue();
    queue.push({});
    for (let item = 0; item < items; item++) {
      queue.push({});
      queue.shift();
    }
    return costOf(() => {
      for (let search = 0; search < 1000; search++) queue.remove({});
    });
  };
  const usual = await costAfter(10);
  expect(await costAfter(100_000)).toBeLessThan(10 * usual);
});
