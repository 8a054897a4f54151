import { once } from "node:events";
import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { startNode } from "#server/testing/children.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { releaseWith } from "#server/testing/release-sources.ts";
import { migrate, type Sources } from "./migrate.ts";

const COLOURS =
  'CREATE TABLE "colours" ("id" int PRIMARY KEY, "name" text, "hidden" bool DEFAULT false NOT NULL);';
const BY_NAME =
  'CREATE INDEX CONCURRENTLY "colours_name" ON "colours" USING btree ("name") WHERE "colours"."hidden" = false;';
const MONTHS = `CREATE TABLE "months" ("id" int NOT NULL, "name" text) PARTITION BY RANGE ("id");--> statement-breakpoint
  CREATE TABLE "months_2026_10" PARTITION OF "months" FOR VALUES FROM (10) TO (11);--> statement-breakpoint
  CREATE TABLE "months_2026_11" PARTITION OF "months" FOR VALUES FROM (11) TO (12);--> statement-breakpoint
  CREATE TABLE "months_rest" PARTITION OF "months" DEFAULT;`;
const MONTHS_BY_NAME =
  'CREATE UNIQUE INDEX CONCURRENTLY "months_name" ON "months" USING btree ("id","name") WHERE "months"."name" is not null;';

function connect(url: string) {
  const sql = postgres(url, { max: 3, onnotice: () => undefined });
  onTestFinished(() => sql.end({ timeout: 5 }));
  return sql;
}

/** Returns the address of a migrated database of the test's own, with connections to it. */
async function openDatabase() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { url, sql: connect(url) };
}

/** Opens a transaction that writes, for which a build waits; returns the function that commits it. */
async function holdWrite(sql: postgres.Sql, statement: string) {
  const [writing, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = sql.begin(async (tx) => {
    await tx.unsafe(statement);
    writing.resolve();
    await release.promise;
  });
  await writing.promise;
  return async () => {
    release.resolve();
    await committed;
  };
}

/** Returns the builds that wait for an earlier transaction: each is in its middle. */
const builds = (sql: postgres.Sql) => sql<{ pid: number; query: string }[]>`
  select pid, query from pg_stat_activity
  where datname = current_database() and query ~ 'INDEX CONCURRENTLY' and wait_event = 'virtualxid'`;

/** Returns the indexes of a table or partition, and whether they are complete. */
const indexesOf = (sql: postgres.Sql, table: string) => sql<{ name: string; valid: boolean }[]>`
  select indexrelid::regclass::text as name, indisvalid as valid from pg_index
  where indrelid = ${table}::regclass and not indisprimary order by 1`;

/** Ends a build as a stop of the database would. */
const endBuild = (sql: postgres.Sql, pid: number | undefined) =>
  sql`select pg_terminate_backend(${pid ?? 0}, 60000)`;

/** Starts the migration in a process of its own. */
function startMigrating(url: string, sources: Sources) {
  const module = new URL("migrate.ts", import.meta.url).href;
  const program = `import { migrate } from ${JSON.stringify(module)};
    await migrate(${JSON.stringify(url)}, { sources: ${JSON.stringify(sources)} });`;
  return startNode(["--input-type=module", "--eval", program]);
}

test("a build that was killed is completed by the next start, while calls write and earlier releases start", async () => {
  const { url, sql } = await openDatabase();
  const earlier = releaseWith(COLOURS);
  const sources = releaseWith(COLOURS, BY_NAME);
  await migrate(url, { sources: earlier });
  await sql`insert into colours select n, 'colour ' || n from generate_series(1, 20000) n`;
  const writer = { last: 20_000, ended: false };
  const writing = (async () => {
    while (!writer.ended) {
      const id = writer.last + 1;
      await sql`insert into colours values (${id}, ${`colour ${id}`})`;
      await sql`update colours set name = name || '!' where id = ${id - 10_000}`;
      writer.last = id;
    }
  })();
  const writesContinue = () => expect.poll(() => writer.last).toBeGreaterThan(writer.last + 20);
  const commit = await holdWrite(connect(url), "insert into colours values (0, 'held')");

  const killed = startMigrating(url, sources);
  await expect.poll(() => builds(sql)).toMatchObject([{ query: expect.stringContaining("CREATE INDEX") }]);
  const [build] = await builds(sql);
  expect(
    await sql`select mode from pg_locks where relation = 'colours'::regclass and pid = ${build?.pid ?? 0}`,
  ).toEqual([{ mode: "ShareUpdateExclusiveLock" }]);
  await writesContinue();
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await endBuild(sql, build?.pid);
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: false }]);

  const starts = [1, 2, 3].map(() => migrate(url, { sources }));
  await expect.poll(() => builds(sql)).toHaveLength(1);
  await migrate(url, { sources: earlier });
  await writesContinue();
  expect(await builds(sql)).toHaveLength(1);
  await commit();
  await Promise.all(starts);
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
  await writesContinue();
  writer.ended = true;
  await writing;
  await sql`create extension amcheck`;
  await sql`select bt_index_check('colours_name', true)`;
  expect(await sql`select count(*)::int from colours`).toEqual([{ count: writer.last + 1 }]);
});

test("a start waits for a build whose process was killed, and that the database completes", async () => {
  const { url, sql } = await openDatabase();
  const sources = releaseWith(COLOURS, BY_NAME);
  await migrate(url, { sources: releaseWith(COLOURS) });
  const commit = await holdWrite(connect(url), "insert into colours values (0, 'held')");
  const killed = startMigrating(url, sources);
  await expect.poll(() => builds(sql)).toHaveLength(1);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const [before] = await sql`select 'colours_name'::regclass::oid as index`;
  const start = migrate(url, { sources });
  await commit();
  await start;
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
  expect(await sql`select 'colours_name'::regclass::oid as index`).toEqual([before]);
});

test("an index of a table with partitions is built on each, goes on where it was ended, and new ones have it", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(MONTHS) });
  const commit = await holdWrite(connect(url), "insert into months_2026_11 values (11, 'held')");
  const sources = releaseWith(MONTHS, MONTHS_BY_NAME);
  const ended = migrate(url, { sources });
  ended.catch(() => undefined);
  await expect
    .poll(() => builds(sql))
    .toMatchObject([{ query: expect.stringContaining('ON "months_2026_11"') }]);
  await sql`insert into months values (10, 'written'), (11, 'written'), (12, 'written')`;
  await endBuild(sql, (await builds(sql))[0]?.pid);
  await expect(ended).rejects.toThrow("CONNECTION_CLOSED");
  const [kept] = await sql`select 'months_name_2026_10'::regclass::oid as index`;
  await commit();
  await sql`create table months_2026_12 partition of months for values from (20) to (21)`;
  await migrate(url, { sources });
  expect(await indexesOf(sql, "months")).toEqual([{ name: "months_name", valid: true }]);
  expect(await indexesOf(sql, "months_2026_11")).toEqual([{ name: "months_name_2026_11", valid: true }]);
  expect(await indexesOf(sql, "months_rest")).toEqual([{ name: "months_name_rest", valid: true }]);
  expect(await indexesOf(sql, "months_2026_12")).toMatchObject([{ valid: true }]);
  expect(await sql`select 'months_name_2026_10'::regclass::oid as index`).toEqual([kept]);
  await expect(sql`insert into months values (11, 'held')`).rejects.toThrow("months_name_2026_11");
});

test("an index of a table with partitions is completed when the last partition without it was dropped", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(MONTHS) });
  const commit = await holdWrite(connect(url), "insert into months_rest values (12, 'held')");
  const sources = releaseWith(MONTHS, MONTHS_BY_NAME);
  const ended = migrate(url, { sources });
  ended.catch(() => undefined);
  await expect.poll(() => builds(sql)).toHaveLength(1);
  await endBuild(sql, (await builds(sql))[0]?.pid);
  await expect(ended).rejects.toThrow("CONNECTION_CLOSED");
  await commit();
  await sql`drop table months_rest`;
  await migrate(url, { sources });
  expect(await indexesOf(sql, "months")).toEqual([{ name: "months_name", valid: true }]);
});

test("an operator's command leaves the build to the next start", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS) });
  const sources = releaseWith(COLOURS, BY_NAME);
  await migrate(url, { sources, serves: false });
  expect(await indexesOf(sql, "colours")).toEqual([]);
  await migrate(url, { sources });
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
});

test("an index that a later migration drops, alone or with its table, is never built", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS, MONTHS) });
  const further = ['DROP INDEX "colours_name";', 'DROP TABLE "months";'];
  await migrate(url, { sources: releaseWith(COLOURS, MONTHS, BY_NAME, MONTHS_BY_NAME, ...further) });
  expect(await indexesOf(sql, "colours")).toEqual([]);
});

test("an earlier release that starts again does not build what a newer one has dropped", async () => {
  const { url, sql } = await openDatabase();
  const earlier = releaseWith(COLOURS, BY_NAME);
  await migrate(url, { sources: earlier });
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
  await migrate(url, { sources: releaseWith(COLOURS, BY_NAME, 'DROP INDEX "colours_name";') });
  await migrate(url, { sources: earlier });
  expect(await indexesOf(sql, "colours")).toEqual([]);
});

test("an empty database and one that is upgraded get the same indexes", async () => {
  const old = await createOldDatabase("build_indexes");
  await old.migrateTo("0062_found_by_parts");
  await migrate(old.url);
  const [upgraded, empty] = await Promise.all(
    [old.url, inject("postgresUrl").replace(/[^/]*$/, inject("templateDatabase"))].map(
      (url) => connect(url)`
        select indexrelid::regclass::text as name, indisvalid as valid, pg_get_indexdef(indexrelid) as definition
        from pg_index join pg_class c on c.oid = indrelid
        where relnamespace = 'public'::regnamespace and not relispartition order by 1`,
    ),
  );
  expect(upgraded?.length).toBeGreaterThan(200);
  expect(upgraded).toEqual(empty);
});
