import { isDeepStrictEqual } from "node:util";
import postgres from "postgres";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { migrate } from "../migrate.ts";

type Row = Record<string, unknown>;
/** Rows by their table or partition. */
type Rows = Map<string, { table: string; row: Row }>;

interface Table {
  name: string;
  /** The columns that a release writes, with their types. */
  columns: { name: string; type: string; required: boolean }[];
  /** True if it has a partition for each month. */
  dated: boolean;
  constraints: string[];
}

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
/** The month of that id with its first id and the first of the next, and an id of a month without a partition. */
const MONTH = {
  name: "2026_11",
  from: "01a19467-e800-7000-8000-000000000000",
  to: "01a22ee6-b000-7000-8000-000000000000",
};
const EARLIER = "01941f29-7c00-7974-9362-d153829f486c";

/** Tables that a migration has renamed. */
const RENAMED: Record<string, string> = { gates: "rate_limit_counters" };
/** Changes that a migration makes deliberately. */
const CHANGED: Record<string, Row> = {
  wallets: { policy: { kept: true, maxNetworkFeeUsd: null, dailyNetworkFeeUsd: null } },
};
/** The changes that no older process could have continued with: all of these are from before the first release. */
const BEFORE_RELEASES = [
  "0016_fills_by_block: order_fills: block_hash",
  "0026_network_fees: wallets: policy",
  '0029_rate_limit_counters: gates: column "tableoid" does not exist',
  "0054_kept_bytes: runs: kept_bytes, counted_bytes",
];

const old = await createOldDatabase("migrate_rows");
const sql = postgres(old.url, { max: 1, onnotice: () => undefined });
onCleanup(() => sql.end());
// The rows' foreign keys refer to nothing.
await sql`set session_replication_role = replica`;

const tables = () => sql<Table[]>`
  select relname as name, json_agg(json_build_object('name', attname, 'type', typname, 'required', attnotnull)) as columns,
    coalesce((select partstrat = 'r' from pg_partitioned_table where partrelid = c.oid), false) as dated,
    array(select k.conname::text from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n' order by 1) as constraints
  from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    join pg_type t on t.oid = atttypid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  group by c.oid`;

/** Returns the columns, as `table.column`, whose default differs from row to row: a time or a random id. */
async function changingDefaults(): Promise<Set<string>> {
  const columns = await sql<{ name: string }[]>`
    select adrelid::regclass || '.' || attname as name from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    where pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp|uuid)[a-z0-9_]*[(]'`;
  return new Set(columns.map(({ name }) => name));
}

/** Inserts a row with these columns; returns the stored row. */
async function insert(tx: postgres.Sql | postgres.TransactionSql, { name, columns }: Table, row: Row) {
  const names = tx(columns.map((column) => column.name));
  const [made] = await tx<{ place: string; row: Row }[]>`
    insert into ${tx(name)} as t (${names}) overriding system value
    select ${names} from jsonb_populate_record(null::${tx(name)}, ${tx.json(row as postgres.JSONValue)})
    returning tableoid::regclass::text as place, to_jsonb(t) as row`;
  return defined(made);
}

/** Returns a row with a value in every column. */
const rowOf = ({ columns }: Table, uuid: unknown): Row =>
  Object.fromEntries(
    columns.map(({ name, type }) => [
      name,
      type.startsWith("_") ? [] : type === "uuid" ? uuid : VALUES[type],
    ]),
  );

const written: Rows = new Map();
const filled = new Set<string>();

/**
 * Adds a row to each new table without one; of a dated one, to the partition of a month and to the default one. Returns
 * these rows.
 */
async function fillTables(from: readonly Table[]): Promise<Rows> {
  const added: Rows = new Map();
  for (const table of from.filter(({ name }) => !filled.has(name))) {
    const { name, dated } = table;
    filled.add(name);
    const [taken] = await sql`select from ${sql(name)}`;
    if (taken) continue;
    if (dated)
      await sql.unsafe(
        `create table ${name}_${MONTH.name} partition of ${name} for values from ('${MONTH.from}') to ('${MONTH.to}')`,
      );
    for (const uuid of dated ? [VALUES.uuid, EARLIER] : [VALUES.uuid]) {
      const { place, row } = await insert(sql, table, rowOf(table, uuid));
      added.set(place, { table: name, row });
    }
  }
  for (const [place, row] of added) written.set(place, row);
  return added;
}

async function readRows(from: readonly Table[]): Promise<Rows> {
  const selects = from.map(
    ({ name }) =>
      `select '${name}' as table, tableoid::regclass::text as place, to_jsonb(t) as row from "${name}" t`,
  );
  const rows = await sql.unsafe<{ table: string; place: string; row: Row }[]>(selects.join(" union all "));
  return new Map(rows.map(({ place, table, row }) => [place, { table, row }]));
}

/** Returns the row that is stored if an older release writes it again, with the columns that it knows. */
async function writeAgain(table: Table, place: string, row: Row): Promise<Row | string> {
  const undone = new Error("Rolled back.");
  let late: Row | string = "";
  await sql
    .begin(async (tx) => {
      await tx`delete from ${tx(place)}`;
      late = (await insert(tx, table, row)).row;
      throw undone;
    })
    .catch((reason) => {
      if (reason !== undone) late = reason.message;
    });
  return late;
}

/** The changes after which an older release could not continue, or would store other values than the migration. */
const faults: string[] = [];
let known: Table[] = [];
let rows: Rows = new Map();
for (const tag of old.tags) {
  await old.migrateTo(tag);
  const now = await tables();
  const migrated = await readRows(now);
  const changing = await changingDefaults();
  for (const [place, { table, row }] of rows) {
    const [was, is] = [known, now].map((found) => found.find(({ name }) => name === table));
    const stored = migrated.get(place)?.row;
    if (isDeepStrictEqual(was, is) && isDeepStrictEqual(row, stored)) continue;
    const late = await writeAgain(defined(was), place, row);
    if (typeof late === "string") {
      faults.push(`${tag}: ${place}: ${late}`);
      continue;
    }
    const differing = Object.keys(late).filter(
      (name) => !isDeepStrictEqual(late[name], stored?.[name]) && !changing.has(`${table}.${name}`),
    );
    if (differing.length > 0) faults.push(`${tag}: ${place}: ${differing.join(", ")}`);
  }
  rows = new Map([...migrated, ...(await fillTables(now))]);
  known = now;
}
const url = await migrate(old.url);

test("every migration leaves the rows that are there as they are, also in partitions", async () => {
  const rows = await readRows(await tables());
  expect(written.size).toBeGreaterThan(60);
  for (const [place, { row }] of written)
    expect([place, rows.get(RENAMED[place] ?? place)?.row]).toMatchObject([
      place,
      { ...row, ...CHANGED[place] },
    ]);
});

test("a release can write its earlier rows again before each migration of the next one", () => {
  expect(faults).toEqual(BEFORE_RELEASES);
});

test("partitions that are created later take the rows of their months, with all columns", async () => {
  const dated = (await tables()).filter(({ dated }) => dated).map(({ name }) => name);
  const rowsOf = (rows: Rows) =>
    dated.map((name) => [...rows.values()].filter(({ table }) => table === name).map(({ row }) => row));
  const before = rowsOf(await readRows(await tables()));
  const release = postgres(url, { max: 1, onnotice: () => undefined });
  await release`select ensure_partitions()`;
  await release.end();
  const rows = await readRows(await tables());
  expect([...rows.keys()].filter((place) => place.endsWith("_2025_01")).sort()).toEqual(
    dated.map((name) => `${name}_2025_01`).sort(),
  );
  for (const [nth, expected] of rowsOf(rows).entries()) {
    expect(expected).toHaveLength(2);
    expect(expected).toEqual(expect.arrayContaining(defined(before[nth])));
  }
});
