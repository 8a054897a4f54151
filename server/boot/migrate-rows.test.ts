import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { migrate } from "./migrate.ts";

type Row = Record<string, unknown>;

/** A value of each type of column. */
const VALUES: Record<string, unknown> = {
  uuid: "01a216b1-475c-7974-9362-d153829f486c",
  text: "kept",
  int2: 1,
  int4: 1,
  int8: 1,
  float8: 1,
  numeric: 1,
  bool: true,
  date: "2026-01-01",
  timestamptz: "2026-01-01T00:00:00Z",
  json: { kept: true },
  jsonb: { kept: true },
  tsvector: "'kept'",
  bytea: "\\x01",
};

/** Tables that a migration has renamed. */
const RENAMED: Record<string, string> = { gates: "rate_limit_counters" };
/** Changes that a migration makes deliberately. */
const CHANGED: Record<string, Row> = {
  wallets: { policy: { kept: true, maxNetworkFeeUsd: null, dailyNetworkFeeUsd: null } },
};

/** Adds a row to each new table without one, with a value in every column; records it in `written`. */
async function fillTables(sql: postgres.Sql, written: Map<string, Row>): Promise<void> {
  const tables = await sql<{ name: string; columns: { name: string; type: string }[] }[]>`
    select relname as name, json_agg(json_build_object('name', attname, 'type', typname)) as columns
    from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      join pg_type t on t.oid = atttypid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${[...written.keys()]}) group by 1`;
  for (const { name, columns } of tables) {
    const row = columns.map((column) => [
      column.name,
      column.type.startsWith("_") ? [] : VALUES[column.type],
    ]);
    const names = sql(columns.map((column) => column.name));
    const [made] = await sql<{ row: Row }[]>`
      insert into ${sql(name)} as t (${names}) overriding system value
      select ${names} from jsonb_populate_record(null::${sql(name)}, ${sql.json(Object.fromEntries(row))})
      where not exists (select from ${sql(name)}) returning to_jsonb(t) as row`;
    if (made) written.set(name, made.row);
  }
}

/** Returns each table's first row. */
async function readTables(sql: postgres.Sql): Promise<Map<string, Row>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const rows = new Map<string, Row>();
  for (const { name } of tables) {
    const [found] = await sql<{ row: Row }[]>`select to_jsonb(t) as row from ${sql(name)} t`;
    if (found) rows.set(name, found.row);
  }
  return rows;
}

test("every migration leaves the rows that are there as they are", async () => {
  const old = await createOldDatabase("migrate_rows");
  const sql = postgres(old.url, { max: 1, onnotice: () => undefined });
  onTestFinished(() => sql.end());
  // The rows' foreign keys refer to nothing.
  await sql`set session_replication_role = replica`;
  const written = new Map<string, Row>();
  for (const tag of old.tags) {
    await old.migrateTo(tag);
    await fillTables(sql, written);
  }
  await migrate(old.url);
  const rows = await readTables(sql);
  expect(written.size).toBeGreaterThan(50);
  for (const [name, row] of written)
    expect([name, rows.get(RENAMED[name] ?? name)]).toMatchObject([name, { ...row, ...CHANGED[name] }]);
});
