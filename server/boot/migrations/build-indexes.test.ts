import { once } from "node:events";
import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { startRelease } from "#server/testing/release-process.ts";
import { releaseWith } from "#server/testing/release-sources.ts";
import { migrate, OUR_SOURCES, type Sources } from "../migrate.ts";
import { startIndexBuilds } from "./build-indexes.ts";

const COLOURS =
  'CREATE TABLE "colours" ("id" int PRIMARY KEY, "name" text, "hidden" bool DEFAULT false NOT NULL);';
const BY_NAME =
  'CREATE INDEX CONCURRENTLY "colours_name" ON "colours" USING btree ("name") WHERE "colours"."hidden" = false;';
const HIDDEN = 'CREATE INDEX CONCURRENTLY "colours_hidden" ON "colours" USING btree ("hidden");';
const MONTHS = `CREATE TABLE "months" ("id" int NOT NULL, "name" text) PARTITION BY RANGE ("id");--> statement-breakpoint
  CREATE TABLE "months_2026_10" PARTITION OF "months" FOR VALUES FROM (10) TO (11);--> statement-breakpoint
  CREATE TABLE "months_2026_11" PARTITION OF "months" FOR VALUES FROM (11) TO (12);--> statement-breakpoint
  CREATE TABLE "months_rest" PARTITION OF "months" DEFAULT;`;
const MONTHS_BY_NAME =
  'CREATE INDEX CONCURRENTLY "months_name" ON "months" USING btree ("id","name") WHERE "months"."name" is not null;';

function connect(url: string, application = "test") {
  const connection = { application_name: application };
  const sql = postgres(url, { max: 3, onnotice: () => undefined, connection });
  onTestFinished(() => sql.end({ timeout: 5 }));
  return sql;
}

/** Returns the address of a migrated database of the test's own, with connections to it. */
async function openDatabase() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { url, sql: connect(url) };
}

/** Opens a transaction for which a build waits; returns the function that commits it. */
async function hold(url: string, statement: string, isolation = "read committed") {
  const [writing, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = connect(url, "forgotten").begin(`isolation level ${isolation}`, async (tx) => {
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

/** Migrates the database and builds, as a start does; resolves when no index is missing. */
async function upgrade(url: string, sources: Sources) {
  await migrate(url, { sources });
  await startIndexBuilds(url, sources.migrations).done;
}

test("a build that was ended is completed by the next start, while calls write and earlier releases start", async () => {
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
  const commit = await hold(url, "insert into colours values (0, 'held')");

  const { child: killed } = startRelease(url, sources);
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

  const starts = [1, 2, 3].map(() => upgrade(url, sources));
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

test("a build whose process was killed is completed by the database, and another process builds the others", async () => {
  const { url, sql } = await openDatabase();
  const sources = releaseWith(COLOURS, BY_NAME, HIDDEN);
  await migrate(url, { sources: releaseWith(COLOURS) });
  const commit = await hold(url, "insert into colours values (0, 'held')");
  const { child } = startRelease(url, sources);
  await expect.poll(() => builds(sql)).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  const [before] = await sql`select 'colours_name'::regclass::oid as index`;
  const other = startRelease(url, sources);
  await expect
    .poll(other.log)
    .toContainEqual(expect.objectContaining({ level: "warn", application: "forgotten" }));
  await commit();
  expect(await once(other.child, "exit")).toEqual([0, null]);
  expect(await indexesOf(sql, "colours")).toEqual([
    { name: "colours_hidden", valid: true },
    { name: "colours_name", valid: true },
  ]);
  expect(await sql`select 'colours_name'::regclass::oid as index`).toEqual([before]);
});

test("a later release migrates the table of a build, which gives way and begins anew", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS) });
  const commit = await hold(url, "select 1", "repeatable read");
  const earlier = startRelease(url, releaseWith(COLOURS, BY_NAME));
  await expect.poll(() => builds(sql)).toHaveLength(1);
  const later = startRelease(url, releaseWith(COLOURS, BY_NAME, 'ALTER TABLE "colours" ADD "hex" text;'));
  expect(await once(earlier.child, "exit")).toEqual([0, null]);
  expect(await sql`select hex from colours`).toEqual([]);
  expect(later.log()).toContainEqual(
    expect.objectContaining({
      message: "A migration waits for a session that uses one of its tables.",
      application: expect.stringMatching(`^build-indexes ${earlier.child.pid} `),
    }),
  );
  await expect.poll(() => builds(sql)).toHaveLength(1);
  await commit();
  expect(await once(later.child, "exit")).toEqual([0, null]);
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
});

test("an index of a table with partitions is built on each, goes on where it was ended, and new ones have it", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(MONTHS) });
  const commit = await hold(url, "insert into months_2026_11 values (11, 'held')");
  const sources = releaseWith(MONTHS, MONTHS_BY_NAME);
  const upgraded = upgrade(url, sources);
  await expect
    .poll(() => builds(sql))
    .toMatchObject([{ query: expect.stringContaining('ON "months_2026_11"') }]);
  await sql`insert into months values (10, 'written'), (11, 'written'), (12, 'written')`;
  const [kept] = await sql`select 'months_name_2026_10'::regclass::oid as index`;
  await endBuild(sql, (await builds(sql))[0]?.pid);
  await commit();
  await sql`create table months_2026_12 partition of months for values from (20) to (21)`;
  await upgraded;
  expect(await indexesOf(sql, "months")).toEqual([{ name: "months_name", valid: true }]);
  expect(await indexesOf(sql, "months_2026_11")).toEqual([{ name: "months_name_2026_11", valid: true }]);
  expect(await indexesOf(sql, "months_rest")).toEqual([{ name: "months_name_rest", valid: true }]);
  expect(await indexesOf(sql, "months_2026_12")).toMatchObject([{ valid: true }]);
  expect(await sql`select 'months_name_2026_10'::regclass::oid as index`).toEqual([kept]);
});

test("an index of a table with partitions is completed when the last partition without it was dropped", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(MONTHS) });
  const commit = await hold(url, "insert into months_rest values (12, 'held')");
  const sources = releaseWith(MONTHS, MONTHS_BY_NAME);
  const { child } = startRelease(url, sources);
  await expect.poll(() => builds(sql)).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await endBuild(sql, (await builds(sql))[0]?.pid);
  await commit();
  await sql`drop table months_rest`;
  await upgrade(url, sources);
  expect(await indexesOf(sql, "months")).toEqual([{ name: "months_name", valid: true }]);
});

test("an index that can't be built keeps no other from being built, and the log says why", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS) });
  await sql`insert into colours values (1, 'red')`;
  const broken = 'CREATE INDEX CONCURRENTLY "colours_number" ON "colours" USING btree ((("name")::int));';
  const release = startRelease(url, releaseWith(COLOURS, broken, BY_NAME));
  await expect.poll(() => indexesOf(sql, "colours")).toContainEqual({ name: "colours_name", valid: true });
  expect(release.log()).toContainEqual(
    expect.objectContaining({
      message: "An index could not be built; it is tried again.",
      error: expect.objectContaining({ message: 'invalid input syntax for type integer: "red"' }),
    }),
  );
  await sql`update colours set name = '7'`;
  expect(await once(release.child, "exit")).toEqual([0, null]);
  expect(await indexesOf(sql, "colours")).toContainEqual({ name: "colours_number", valid: true });
});

test("a unique index must not be built concurrently, since calls begin before it is there", async () => {
  const { url } = await openDatabase();
  const sources = releaseWith(COLOURS, BY_NAME.replace("INDEX", "UNIQUE INDEX"));
  await expect(migrate(url, { sources })).rejects.toThrow(
    "The unique index colours_name is built after calls that rely on it; create it without CONCURRENTLY.",
  );
});

test("an index that a later migration drops, alone or with its table, is never built", async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, { sources: releaseWith(COLOURS, MONTHS) });
  const further = ['DROP INDEX "colours_name";', 'DROP TABLE "months";'];
  await upgrade(url, releaseWith(COLOURS, MONTHS, BY_NAME, MONTHS_BY_NAME, ...further));
  expect(await indexesOf(sql, "colours")).toEqual([]);
});

test("an earlier release that starts again does not build an index that a newer one has dropped", async () => {
  const { url, sql } = await openDatabase();
  const earlier = releaseWith(COLOURS, BY_NAME);
  await upgrade(url, earlier);
  expect(await indexesOf(sql, "colours")).toEqual([{ name: "colours_name", valid: true }]);
  await upgrade(url, releaseWith(COLOURS, BY_NAME, 'DROP INDEX "colours_name";'));
  await upgrade(url, earlier);
  expect(await indexesOf(sql, "colours")).toEqual([]);
});

test("an empty database and one that is upgraded get the same indexes", async () => {
  const old = await createOldDatabase("build_indexes");
  await old.migrateTo("0062_found_by_parts");
  await upgrade(old.url, OUR_SOURCES);
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
