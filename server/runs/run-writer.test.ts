import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPool } from "#db/client.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createRunWriter } from "./run-writer.ts";

const database = await createTestDatabase();
const pool = openPool(database.url, 2);
const others = openPool(database.url, 1);
const writer = createRunWriter(pool.db);
afterAll(async () => {
  await Promise.all([pool.close(), others.close()]);
  await database.drop();
});

test("writes concurrent entries in one transaction, and returns each caller's own result", async () => {
  const own = (value: number) => writer("note_step", sql`array[pg_current_xact_id()::text, ${value}::text]`);
  const results = (await Promise.all([own(1), own(2), own(3)])) as string[][];
  expect(results.map(([, value]) => value)).toEqual(["1", "2", "3"]);
  expect(new Set(results.map(([transaction]) => transaction)).size).toBe(1);
});

test("fails only the write that the database refuses", async () => {
  const results = await Promise.allSettled([
    writer("note_step", sql`1`),
    writer("note_step", sql`1 / ${0}::int`),
    writer("note_step", sql`3`),
  ]);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.status))).toEqual([
    1,
    "rejected",
    3,
  ]);
});

test("sends nothing again once its connection was lost: it may be committed", async () => {
  await pool.client`create sequence sent`;
  const results = await Promise.allSettled([
    writer("note_step", sql`nextval('sent')`),
    writer("note_step", sql`pg_terminate_backend(pg_backend_pid())`),
    writer("note_step", sql`nextval('sent')`),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  // The backend may have ended before it executed the last one.
  expect(Number((await pool.client`select last_value from sent`)[0]?.last_value)).toBeLessThanOrEqual(2);
  expect(await writer("note_step", sql`4`)).toBe(4);
});

/** Holds the lock that `WAITING` waits for while `act` is under way. */
async function whileLocked(act: () => Promise<void>) {
  await others.client.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`;
    await act();
  });
}

const WAITING = sql`pg_advisory_xact_lock_shared(1)::text`;

test("delays those that come later by no write that waits for a lock", async () => {
  const waiting: Promise<unknown>[] = [];
  await whileLocked(async () => {
    waiting.push(writer("note_step", WAITING));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await writer("open_step", sql`5`)).toBe(5);
  });
  expect(await Promise.all(waiting)).toEqual([""]);
});

test("delays those that were sent together with it by no write that waits for a lock", async () => {
  const waiting: Promise<unknown>[] = [];
  await whileLocked(async () => {
    const beside = [writer("note_step", sql`6`), writer("note_step", sql`7`)];
    waiting.push(writer("note_step", WAITING));
    expect(await Promise.all(beside)).toEqual([6, 7]);
  });
  expect(await Promise.all(waiting)).toEqual([""]);
});
