import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../testing/database.ts";
import { migrate } from "./migrate.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: postgres.Sql;
const folder = mkdtempSync(join(tmpdir(), "migrate-"));
const sources = { migrations: join(folder, "migrations"), functions: join(folder, "functions") };

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  mkdirSync(join(sources.migrations, "meta"), { recursive: true });
  mkdirSync(sources.functions);
  // Later than every migration of the template, because drizzle orders them by time.
  const entry = { idx: 0, version: "7", when: Date.now(), tag: "0000_colours", breakpoints: true };
  writeFileSync(
    join(sources.migrations, "meta/_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries: [entry] }),
  );
  writeFileSync(
    join(sources.migrations, "0000_colours.sql"),
    "create table colours (name text primary key);",
  );
  writeFileSync(
    join(sources.functions, "answer.sql"),
    "create or replace function answer() returns int language sql as 'select 41';",
  );
});

afterAll(async () => {
  await sql.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("applies every migration once, though four processes start together", async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { sources })));
  expect(
    await sql`select count(*)::int as tables from information_schema.tables where table_name = 'colours'`,
  ).toEqual([{ tables: 1 }]);
  expect(await sql`select answer()`).toEqual([{ answer: 41 }]);
});

test("replaces the functions when one of them has changed", async () => {
  writeFileSync(
    join(sources.functions, "answer.sql"),
    "create or replace function answer() returns int language sql as 'select 42';",
  );
  await migrate(database.url, { sources });
  expect(await sql`select answer()`).toEqual([{ answer: 42 }]);
});

test("names the file whose SQL is refused, and keeps the functions as they were", async () => {
  writeFileSync(
    join(sources.functions, "answer.sql"),
    "create or replace function answer() returns int language sql as 'select 43';",
  );
  writeFileSync(join(sources.functions, "broken.sql"), "create or replace function broken(");
  await expect(migrate(database.url, { sources })).rejects.toThrow(
    "db/functions/broken.sql: syntax error at end of input",
  );
  expect(await sql`select answer()`).toEqual([{ answer: 42 }]);
});

const write = (name: string, text: string) => writeFileSync(join(sources.functions, name), text);
const answerOf = async (url: string, call: string) => {
  const session = postgres(url, { max: 1 });
  try {
    const [row] = await session.unsafe(`select ${call} as answer`);
    return row?.answer;
  } finally {
    await session.end();
  }
};

test("leaves a release its functions when a newer one drops or replaces them", async () => {
  rmSync(join(sources.functions, "broken.sql"));
  write("answer.sql", "create or replace function answer() returns int language sql as 'select 1';");
  write("whole.sql", "create or replace function whole() returns int language sql as 'select answer()';");
  const before = await migrate(database.url, { sources });
  write(
    "answer.sql",
    "drop function if exists answer();\ncreate or replace function answer(p int) returns int language sql as 'select p';",
  );
  write("whole.sql", "create or replace function whole() returns int language sql as 'select answer(2)';");
  const after = await migrate(database.url, { sources });
  expect(await answerOf(before, "answer()")).toBe(1);
  expect(await answerOf(before, "whole()")).toBe(1);
  expect(await answerOf(after, "whole()")).toBe(2);
  expect(await answerOf(database.url, "whole()")).toBe(2);
  await expect(answerOf(after, "answer()")).rejects.toThrow("function answer() does not exist");
});

test("sessions without a release use the serving release's functions, whatever an older command migrates", async () => {
  const ofServer = await answerOf(database.url, "whole()");
  write("whole.sql", "create or replace function whole() returns int language sql as 'select 3';");
  const command = await migrate(database.url, { sources, serves: false });
  expect(await answerOf(command, "whole()")).toBe(3);
  expect(await answerOf(database.url, "whole()")).toBe(ofServer);
});

/** Returns the sources of a release with one more migration. */
function migratedFurther(name: string, statement: string) {
  const newer = { ...sources, migrations: join(folder, name) };
  cpSync(sources.migrations, newer.migrations, { recursive: true });
  const journal = JSON.parse(readFileSync(join(sources.migrations, "meta/_journal.json"), "utf8"));
  const entry = { ...journal.entries[0], idx: 1, when: Date.now(), tag: `0001_${name}` };
  journal.entries.push(entry);
  writeFileSync(join(newer.migrations, "meta/_journal.json"), JSON.stringify(journal));
  writeFileSync(join(newer.migrations, `0001_${name}.sql`), statement);
  return newer;
}

test("leaves them to a release that has migrated further", async () => {
  const ofServer = await answerOf(database.url, "whole()");
  const newer = migratedFurther("shades", "create table shades (name text primary key);");
  write("whole.sql", "create or replace function whole() returns int language sql as 'select 4';");
  await migrate(database.url, { sources: newer });
  write("whole.sql", "create or replace function whole() returns int language sql as 'select 5';");
  const older = await migrate(database.url, { sources });
  expect(ofServer).not.toBe(4);
  expect(await answerOf(older, "whole()")).toBe(5);
  expect(await answerOf(database.url, "whole()")).toBe(4);
});

test("keeps the functions of the five releases that were started last", async () => {
  const urls = [];
  for (let nth = 0; nth < 6; nth++) {
    write(
      "whole.sql",
      `create or replace function whole() returns int language sql as 'select ${10 + nth}';`,
    );
    urls.push(await migrate(database.url, { sources, serves: false }));
  }
  const answers = await Promise.all(urls.map((url) => answerOf(url, "whole()")));
  // The oldest release's sessions find the functions of the serving release.
  expect(answers).toEqual([4, 11, 12, 13, 14, 15]);
});

test("lets others read a table while its migration waits for a transaction that uses it", async () => {
  const inUse = postgres(database.url, { max: 1 });
  const release = Promise.withResolvers<void>();
  const using = Promise.withResolvers<void>();
  const transaction = inUse.begin(async (tx) => {
    await tx`select from colours`;
    using.resolve();
    await release.promise;
  });
  await using.promise;
  const widened = "alter table colours add column hex text;";
  let ended = false;
  const migrated = migrate(database.url, { sources: migratedFurther("widened", widened) }).then(() => {
    ended = true;
  });
  const waits = () => sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table colours%'`;
  await expect.poll(waits).toHaveLength(1);
  expect(await sql`select from colours`).toEqual([]);
  expect(ended).toBe(false);
  release.resolve();
  await transaction;
  await migrated;
  expect(await sql`select hex from colours`).toEqual([]);
  await inUse.end();
});

test("makes each month's partitions beside their table, where the next release finds them", async () => {
  const own = await createTestDatabase();
  onTestFinished(own.drop);
  const functions = join(folder, "next-release");
  cpSync(fileURLToPath(new URL("../../db/functions", import.meta.url)), functions, { recursive: true });
  writeFileSync(
    join(functions, "zz-later.sql"),
    "create or replace function later() returns int language sql as 'select 1';",
  );
  const migrations = fileURLToPath(new URL("../../db/migrations", import.meta.url));
  const releases = [await migrate(own.url), await migrate(own.url, { sources: { migrations, functions } })];
  for (const release of releases) await answerOf(release, "ensure_partitions()::text");
  const session = postgres(own.url, { max: 1 });
  onTestFinished(() => session.end());
  const partitions = await session`
    select relnamespace::regnamespace::text as schema, count(*)::int as count from pg_class
    where relispartition and relname ~ '_\\d{4}_\\d\\d$' group by 1`;
  expect(partitions).toEqual([{ schema: "public", count: 15 }]);
});
