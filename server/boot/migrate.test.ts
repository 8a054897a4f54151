import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  // Later than every migration that the template has, for drizzle goes by the time.
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
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, sources)));
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
  await migrate(database.url, sources);
  expect(await sql`select answer()`).toEqual([{ answer: 42 }]);
});

test("names the file whose SQL is refused, and keeps the functions as they were", async () => {
  writeFileSync(
    join(sources.functions, "answer.sql"),
    "create or replace function answer() returns int language sql as 'select 43';",
  );
  writeFileSync(join(sources.functions, "broken.sql"), "create or replace function broken(");
  await expect(migrate(database.url, sources)).rejects.toThrow(
    "db/functions/broken.sql: syntax error at end of input",
  );
  expect(await sql`select answer()`).toEqual([{ answer: 42 }]);
});
