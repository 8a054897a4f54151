import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { enqueueJob, type Job } from "./enqueue-job.ts";

const testDatabase = await createTestDatabase();
const database = openDatabase(testDatabase.url);
const sql = postgres(testDatabase.url, { max: 2, onnotice: () => undefined });
const job: Job = { task: "watchRoutes", payload: { network: "eip155:31337" }, key: "look/1" };

afterAll(async () => {
  await database.close();
  await sql.end({ timeout: 1 });
  await testDatabase.drop();
});

const jobs = () => sql`select key, locked_by from graphile_worker._private_jobs order by id`;

test("replaces the job of its key that has not begun", async () => {
  await enqueueJob(database.db, job);
  await enqueueJob(database.db, job);
  expect(await jobs()).toEqual([{ key: "look/1", locked_by: null }]);
});

test("adds another where a worker takes the one of its key at that very moment", async () => {
  let asked: Promise<void> | undefined;
  await sql.begin(async (worker) => {
    await worker`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1`;
    asked = enqueueJob(database.db, job);
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
  });
  await asked;
  expect(await jobs()).toEqual([
    { key: null, locked_by: "a worker" },
    { key: "look/1", locked_by: null },
  ]);
});
