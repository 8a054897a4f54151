import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { findDatabase, inTenant, tenantOf } from "./queries.ts";
import { removeEmptyDatabase } from "./remove-database.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

async function provisioned() {
  const root = await api.createRootKey();
  const made = await api.send("POST", "/v1/databases/account", { key: root.key, body: {} });
  expect(made.status).toBe(201);
  return root;
}

const query = (key: string, body: Record<string, unknown>) =>
  api.send("POST", "/v1/databases/query", { key, body, idempotencyKey: null });
const act = (key: string, actions: unknown[], extra: Record<string, unknown> = {}, idempotencyKey?: string) =>
  api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions, ...extra },
    ...(idempotencyKey && { idempotencyKey }),
  });

test("gives an account one database, which it reads as absent before", async () => {
  const { key } = await api.createRootKey();
  const before = await api.send("GET", "/v1/databases/account", { key });
  expect(before.body).toMatchObject({
    ok: true,
    database: { status: "absent", sizeBytes: 0, tables: [], createdAt: null },
  });
  const early = await query(key, { sql: "select 1" });
  expect(early.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const made = await Promise.all(
    [1, 2, 3].map(() => api.send("POST", "/v1/databases/account", { key, body: {} })),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(made.find(({ status }) => status === 409)?.body.error.code).toBe("already_exists");
  const after = await api.send("GET", "/v1/databases/account", { key });
  expect(after.body.database).toMatchObject({ status: "ready", tables: [] });
  expect(after.body.database.sizeBytes).toBeGreaterThan(1_000_000);
});

test("says that a database was removed between a call's look at it and its first statement", async () => {
  const { key, accountId } = await provisioned();
  const { db } = api.platform.database;
  const seen = tenantOf(defined(await findDatabase(db, accountId)));
  await api.send("DELETE", "/v1/databases/account", { key });
  await removeEmptyDatabase(db, accountId);
  const signal = new AbortController().signal;
  const reading = inTenant(seen, { readOnly: true, timeoutMs: 1000, signal }, async () => null);
  await expect(reading).rejects.toMatchObject({
    code: "state_conflict",
    message: "The account's database was removed before the statement began.",
  });
});

test("says to a running statement that its database was removed, not that the statement or the cluster is at fault", async () => {
  const { key, accountId } = await provisioned();
  const running = query(key, { sql: "select pg_sleep(20)", timeoutMs: 20_000 });
  const { name } = defined(await findDatabase(api.platform.database.db, accountId));
  const admin = api.platform.tenants.admin("embedded");
  await expect
    .poll(() => admin`select from pg_stat_activity where datname = ${name} and query like '%pg_sleep%'`)
    .toHaveLength(1);
  await api.send("DELETE", "/v1/databases/account", { key });
  await removeEmptyDatabase(api.platform.database.db, accountId);
  expect((await running).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
    message: "The account's database is being removed, and the statement was undone.",
  });
});

test("returns values of every kind with their full precision, and accepts each as a parameter", async () => {
  const { key } = await provisioned();
  const sql = `select $1::int4 a, $2::int8 b, $3::numeric c, $4::float8 d, $5::bool e, $6::text f, $7::bytea g, $8::timestamptz h,
    $9::jsonb i, $10::int8[] j, $11::float8 k, $12::int4range l, $13::text[] m, $14::uuid n, $15::interval o, $16::jsonb[] p, $17::date q, $18::json r`;
  const row = [
    1,
    "9007199254740993",
    "12345678901234567890.12345678901234567890",
    0.1,
    true,
    'quote " and \\ and ü',
    "\\x00ff",
    "2027-01-31 12:00:00.123456+00",
    { a: [1, null, "x"], b: { c: 1.5 } },
    ["9007199254740993", null],
    "NaN",
    "[1,5)",
    [
      ["a", 'b"c'],
      ["{}", "NULL"],
    ],
    "0190163d-8694-739b-aea5-966c26f8ad91",
    "1 year 2 mons 3 days 04:05:06.789",
    [{ a: 1 }, null],
    "2027-01-31",
    "text",
  ];
  const answered = await query(key, { sql, params: row });
  expect(answered.body).toMatchObject({ ok: true, rowCount: 1, truncated: false, nextCursor: null });
  expect(answered.body.rows[0]).toEqual(row);
  expect(answered.body.columns.slice(0, 3)).toEqual([
    { name: "a", type: "int4" },
    { name: "b", type: "int8" },
    { name: "c", type: "numeric" },
  ]);
  const objects = await query(key, { sql: "select 1 as one, null as none", rowMode: "object" });
  expect(objects.body.rows).toEqual([{ one: 1, none: null }]);
  const twice = await query(key, { sql: "select 1 as one, 2 as one", rowMode: "object" });
  expect(twice.body.error).toMatchObject({ status: 400, issues: [{ path: "body.rowMode" }] });
});

test("answers the vectors of PostgreSQL's own catalogue as its text", async () => {
  const { key } = await provisioned();
  const sql = "select '1 2'::int2vector, '3 4'::oidvector, array['5 6'::int2vector]";
  expect((await query(key, { sql })).body.rows).toEqual([["1 2", "3 4", ["5 6"]]]);
});

test("embeds JSON with its digits as they are", async () => {
  const { key } = await provisioned();
  const response = await fetch(`${api.origin}/v1/databases/query`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ sql: `select '{"n": 12345678901234567890.10}'::jsonb` }),
  });
  expect(await response.text()).toContain('{"n":12345678901234567890.10}');
});

test("answers the rows of statements that PostgreSQL does not count", async () => {
  const { key } = await provisioned();
  expect((await query(key, { sql: "show server_encoding" })).body).toMatchObject({
    rows: [["UTF8"]],
    rowCount: 1,
  });
  const { body } = await query(key, { sql: "explain (costs off) select 1 where $1::bool", params: [true] });
  expect(body.rows[0]).toEqual(["Result"]);
});

test("pages through one execution without losing or doubling a row, while the table changes", async () => {
  const { key } = await provisioned();
  await act(key, [
    {
      type: "sql",
      sql: "create table t as select n, repeat('x', 500) as pad from generate_series(1, 5000) n",
    },
  ]);
  const body = { sql: "select n, pad from t order by n", maxRows: 1900 };
  const first = await query(key, body);
  expect(first.body).toMatchObject({ rowCount: 1900, truncated: true });
  await act(key, [{ type: "sql", sql: "delete from t" }]);
  const second = await query(key, { ...body, cursor: first.body.nextCursor });
  const third = await query(key, { ...body, cursor: second.body.nextCursor });
  expect(third.body).toMatchObject({ rowCount: 1200, truncated: false, nextCursor: null });
  const seen = [first, second, third].flatMap(({ body }) => body.rows.map(([n]: [number]) => n));
  expect(seen).toEqual(Array.from({ length: 5000 }, (_, place) => place + 1));
  const other = await query(key, { ...body, sql: "select 1", cursor: first.body.nextCursor });
  expect(other.body.error).toMatchObject({ status: 400, issues: [{ path: "body.cursor" }] });
  const { key: stranger } = await provisioned();
  const foreign = await query(stranger, { ...body, cursor: first.body.nextCursor });
  expect(foreign.body.error).toMatchObject({ status: 410, code: "cursor_expired" });
});

test("applies actions together or not at all, and returns each one's result", async () => {
  const { key } = await provisioned();
  const done = await act(key, [
    {
      type: "table.create",
      table: "orders",
      columns: [
        { name: "id", type: "int8", nullable: false },
        { name: "total", type: "numeric(12,2)", default: 0 },
        { name: "note", type: "text", default: "'new'" },
        { name: "at", type: "timestamptz", default: "now()" },
      ],
      primaryKey: ["id"],
    },
    { type: "rows.insert", table: "orders", rows: [{ id: "1", total: "12.50" }, { id: "2" }] },
    {
      type: "rows.upsert",
      table: "orders",
      rows: [
        { id: 2, total: 3 },
        { id: 3, total: 4 },
      ],
      conflictColumns: ["id"],
    },
    { type: "rows.update", table: "orders", set: { note: null }, where: { id: 1 } },
    { type: "rows.delete", table: "orders", where: { id: 3 } },
    { type: "sql", sql: "update orders set total = total + $1 returning id, total", params: ["0.5"] },
  ]);
  expect(done.body).toEqual({
    ok: true,
    dryRun: false,
    results: [
      { type: "table.create", rowCount: null },
      { type: "rows.insert", rowCount: 2 },
      { type: "rows.upsert", rowCount: 2 },
      { type: "rows.update", rowCount: 1 },
      { type: "rows.delete", rowCount: 1 },
      {
        type: "sql",
        rowCount: 2,
        command: "UPDATE",
        columns: [
          { name: "id", type: "int8" },
          { name: "total", type: "numeric" },
        ],
        rows: [
          ["2", "3.50"],
          ["1", "13.00"],
        ],
      },
    ],
  });
  const broken = await act(key, [
    { type: "rows.delete", table: "orders", where: { id: 1 } },
    { type: "sql", sql: "select 1 / 0" },
  ]);
  expect(broken.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    sqlState: "22012",
    operationState: "not_started",
    issues: [{ path: "body.actions.1.sql" }],
  });
  const dry = await act(key, [{ type: "sql", sql: "delete from orders" }], { dryRun: true });
  expect(dry.body).toMatchObject({ dryRun: true, results: [{ type: "sql", rowCount: 2 }] });
  expect((await query(key, { sql: "select count(*)::int from orders" })).body.rows).toEqual([[2]]);
  const read = await api.send("GET", "/v1/databases/account", { key });
  expect(read.body.database.tables).toMatchObject([
    {
      name: "orders",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "int8", nullable: false, default: null },
        { name: "total", type: "numeric(12,2)", nullable: true, default: "0" },
        { name: "note", type: "text", nullable: true, default: "'new'::text" },
        { name: "at", type: "timestamptz", nullable: true, default: "now()" },
      ],
      indexes: [{ name: "orders_pkey", columns: ["id"], unique: true }],
    },
  ]);
});

test("reports a fault of the SQL with its position, and writes nothing with a query", async () => {
  const { key } = await provisioned();
  const wrong = await query(key, { sql: "select nothing from nowhere" });
  expect(wrong.body.error).toMatchObject({
    status: 400,
    sqlState: "42P01",
    position: 21,
    issues: [{ path: "body.sql" }],
  });
  const written = await query(key, { sql: "create table t (id int4)" });
  expect(written.body.error).toMatchObject({ status: 400, sqlState: "25006" });
  for (const sql of [
    "commit",
    "/* a /* b */ */ COMMIT",
    "-- a\rcommit /*\nselect */",
    "begin",
    "copy (select 1) to stdout",
    "-- only a comment",
  ]) {
    const refused = await query(key, { sql });
    expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "body.sql" }] });
  }
  const several = await query(key, { sql: "select 1; drop table t" });
  expect(several.body.error).toMatchObject({ status: 400, sqlState: "42601" });
  const missing = await query(key, { sql: "select $1::int4", params: [] });
  expect(missing.body.error).toMatchObject({ status: 400, issues: [{ path: "body.params" }] });
  const list = await query(key, { sql: "select $1::int4", params: [[1]] });
  expect(list.body.error).toMatchObject({ status: 400, issues: [{ path: "body.params.0" }] });
});
