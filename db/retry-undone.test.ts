import { DrizzleQueryError, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { afterCommit, openPool } from "./client.ts";

const database = await createTestDatabase();
const pool = openPool(database.url, 2);
afterAll(async () => {
  await pool.close();
  await database.drop();
});

test("does a transaction again that a deadlock has undone, and calls back once it is committed, once", async () => {
  await pool.client`create table counters (id int primary key, value int)`;
  await pool.client`insert into counters values (1, 0), (2, 0)`;
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  let notified = 0;
  const raise = (first: number, second: number) =>
    pool.db.transaction(async (tx) => {
      afterCommit(tx, () => (notified += 1));
      await tx.execute(sql`update counters set value = value + 1 where id = ${first}`);
      holding += 1;
      if (holding === 2) bothHold.resolve();
      await bothHold.promise;
      await tx.execute(sql`update counters set value = value + 1 where id = ${second}`);
      return first;
    });
  expect(await Promise.all([raise(1, 2), raise(2, 1)])).toEqual([1, 2]);
  expect(await pool.client`select value from counters`).toEqual([{ value: 2 }, { value: 2 }]);
  expect([holding, notified]).toEqual([3, 2]);
});

test("throws at once a failure that another transaction has not caused", async () => {
  let tries = 0;
  const failing = pool.db.transaction(async (tx) => {
    tries += 1;
    await tx.execute(sql`select 1 / 0`);
  });
  await expect(failing).rejects.toThrow();
  expect(tries).toBe(1);
});

test("throws the first failure, though a statement sent with it is seen to fail before", async () => {
  const failing = pool.db.transaction((tx) => {
    const seenLate = async () => tx.execute(sql`select 1 / 0`);
    return Promise.all([seenLate().then(() => undefined), tx.execute(sql`select 1`)]);
  });
  const thrown = await failing.catch((reason) => reason);
  expect((thrown instanceof DrizzleQueryError ? thrown.cause : thrown).code).toBe("22012");
});
