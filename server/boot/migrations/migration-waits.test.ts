import { once } from "node:events";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { startRelease } from "#server/testing/release-process.ts";
import { releaseWith } from "#server/testing/release-sources.ts";
import { startServer } from "#server/testing/server-process.ts";
import { migrate } from "../migrate.ts";
import { MIGRATION_LOCK } from "./lock-holder.ts";

const COLOURS = 'CREATE TABLE "colours" ("name" text PRIMARY KEY);';
const WIDENED = 'ALTER TABLE "colours" ADD "hex" text;';

/** Returns the address of a migrated database of the test's own, with a session of a person named `psql`. */
async function openDatabase() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const psql = postgres(url, { max: 1, connection: { application_name: "psql" } });
  onTestFinished(() => psql.end());
  const [session] = await psql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return { url, psql, pid: session.pid };
}

test("a start waits for another process that migrates, and says for which", async () => {
  const { url, psql, pid } = await openDatabase();
  await psql`select pg_advisory_lock(${MIGRATION_LOCK})`;
  const { child, log } = startRelease(url, releaseWith(COLOURS));
  await expect.poll(log).toEqual([
    {
      time: expect.any(String),
      level: "warn",
      message: "The start waits for another process that migrates the database.",
      pid,
      application: "psql",
      state: "idle",
      seconds: expect.any(Number),
    },
  ]);
  await psql`select pg_advisory_unlock(${MIGRATION_LOCK})`;
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await psql`select from colours`).toEqual([]);
});

test("a start gives up while another process hangs in its migration, and says how to end that", async () => {
  const { url, psql, pid } = await openDatabase();
  await psql`select pg_advisory_lock(${MIGRATION_LOCK})`;
  const refused = migrate(url, { sources: releaseWith(COLOURS), waitMs: 1500 });
  await expect(refused).rejects.toThrow(
    `"psql", process ${pid} of PostgreSQL. If it hangs, end it by \`select pg_terminate_backend(${pid})\`, and start again.`,
  );
});

test("a migration that waits for a person's transaction says so, while others use the table", async () => {
  const { url, psql, pid } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS) });
  await psql`begin`;
  await psql`select from colours`;
  const { child, log } = startRelease(url, releaseWith(COLOURS, WIDENED));
  await expect.poll(log).toContainEqual(
    expect.objectContaining({
      message: "A migration waits for a session that uses one of its tables.",
      pid,
      application: "psql",
      state: "idle in transaction",
    }),
  );
  const caller = postgres(url, { max: 1 });
  onTestFinished(() => caller.end());
  expect(await caller`insert into colours values ('red') returning name`).toEqual([{ name: "red" }]);
  await psql`commit`;
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await caller`select hex from colours`).toEqual([{ hex: null }]);
});

test("a start beside a dump serves, and leaves the next months' partitions to a job", async () => {
  const { url, psql: dump } = await openDatabase();
  await migrate(url);
  const caller = postgres(url, { max: 1 });
  onTestFinished(() => caller.end());
  const newest = async () => {
    const [found] = await caller<[{ name: string }]>`
      select max(inhrelid::regclass::text) as name from pg_inherits
      where inhparent = 'run_steps'::regclass and inhrelid::regclass::text ~ '\\d$'`;
    return found.name;
  };
  await caller`select ensure_partitions()`;
  const name = await newest();
  await caller.unsafe(`drop table ${name}`);
  await dump`begin`;
  await dump`select from run_steps`;
  const { origin } = await startServer(url);
  await expect.poll(async () => (await fetch(`${origin}/health`)).status).toBe(200);
  expect(await caller`select from run_steps`).toEqual([]);
  expect(await newest()).not.toBe(name);
  await dump`commit`;
  await caller`select ensure_partitions()`;
  expect(await newest()).toBe(name);
});
