import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

/** Returns a key of an account whose database these statements have created. */
async function databaseOf(...statements: string[]): Promise<string> {
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  expect((await act(key, ...statements.map((sql) => ({ type: "sql", sql })))).status).toBe(200);
  return key;
}

const act = (key: string, ...actions: object[]) =>
  api.send("POST", "/v1/databases/actions", { key, body: { actions, timeoutMs: 60_000 } });
const count = async (key: string) =>
  (await api.send("POST", "/v1/databases/query", { key, body: { sql: "select count(*)::int from t" } })).body
    .rows;

test("names foreign keys with their columns in order, also those of and to partitioned tables", async () => {
  const key = await databaseOf(
    "create table parent (b int, a int, primary key (b, a)) partition by range (b)",
    "create table parent_one partition of parent for values from (0) to (10)",
    "create table parent_two partition of parent for values from (10) to (20)",
    'create table child (id int primary key, "x y" int, z int, constraint "to parent" foreign key (z, "x y") references parent (b, a))',
    "alter table child add constraint self foreign key (z) references child (id)",
  );
  const { tables } = (await api.send("GET", "/v1/databases/account", { key })).body.database;
  const child = tables.find(({ name }: { name: string }) => name === "child");
  expect(child.foreignKeys).toEqual([
    { name: "self", columns: ["z"], table: "child", referencedColumns: ["id"] },
    { name: "to parent", columns: ["z", "x y"], table: "parent", referencedColumns: ["b", "a"] },
  ]);
  expect(tables.find(({ name }: { name: string }) => name === "parent_one").foreignKeys).toEqual([]);
});

test("lists views and functions beside tables", async () => {
  const key = await databaseOf(
    "create table t (id int primary key)",
    "insert into t select generate_series(1, 500)",
    "create view open_t as select id, id::text as words from t",
    "create materialized view stored_t as select id from t",
    "analyze stored_t",
    "create function twice(n int, more text default 'x') returns int language sql as 'select n * 2'",
    "create procedure clear() language sql as 'delete from t'",
  );
  const { database } = (await api.send("GET", "/v1/databases/account", { key })).body;
  expect(database.tables.map(({ name }: { name: string }) => name)).toEqual(["t"]);
  expect(database.views).toEqual([
    {
      name: "open_t",
      materialized: false,
      rowEstimate: null,
      sizeBytes: 0,
      columns: [
        { name: "id", type: "int4", nullable: true, default: null },
        { name: "words", type: "text", nullable: true, default: null },
      ],
    },
    {
      name: "stored_t",
      materialized: true,
      rowEstimate: 500,
      sizeBytes: expect.any(Number),
      columns: [{ name: "id", type: "int4", nullable: true, default: null }],
    },
  ]);
  expect(database.views[1].sizeBytes).toBeGreaterThan(0);
  expect(database.functions).toEqual([
    { name: "clear", kind: "procedure", arguments: "", returns: null, language: "sql" },
    {
      name: "twice",
      kind: "function",
      arguments: "n integer, more text DEFAULT 'x'::text",
      returns: "integer",
      language: "sql",
    },
  ]);
});

test("answers a bounded part of a structure that would fill the memory, and says so", async () => {
  const key = await databaseOf(
    `do $$ begin execute format('create table t (a text default %L)', repeat('long', 5000)); end $$`,
  );
  for (let first = 100_001; first < 120_000; first += 5000) {
    const sql = `do $$ begin for n in ${first}..${first + 4999} loop
      execute format('create function f%s(%s) returns int language sql return 1', n,
        (select string_agg(repeat('x', 40) || a || ' int', ', ') from generate_series(1, 20) a));
    end loop; end $$`;
    expect((await act(key, { type: "sql", sql })).status).toBe(200);
  }
  const { status, body } = await api.send("GET", "/v1/databases/account", { key });
  expect(status).toBe(200);
  const { tables, functions, complete } = body.database;
  expect(complete).toBe(false);
  expect(JSON.stringify(body).length).toBeLessThan(20_000_000);
  expect(functions[0].name).toBe("f100001");
  expect(functions.length).toBeGreaterThan(1000);
  expect(tables[0].columns[0].default).toMatch(/^'long.{9990,9996}…$/);
});

test("changes nothing where an action is about another number of rows than expected", async () => {
  const key = await databaseOf("create table t (id int primary key)", "insert into t values (1), (2), (3)");
  const refused = await act(
    key,
    { type: "rows.delete", table: "t", where: { id: 1 }, expectedRows: 1 },
    { type: "rows.delete", table: "t", where: { id: 9 }, expectedRows: 1 },
  );
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({
    code: "state_conflict",
    operationState: "not_started",
    issues: [{ path: "body.actions.1.expectedRows" }],
  });
  const returned = { type: "sql", sql: "delete from t where id > 1 returning id", expectedRows: 1 };
  expect((await act(key, returned)).status).toBe(409);
  expect(await count(key)).toEqual([[3]]);
  const structural = { type: "sql", sql: "drop table t", expectedRows: 0 };
  expect((await act(key, structural)).body.error.code).toBe("state_conflict");
  const done = await act(key, { ...returned, expectedRows: 2 });
  expect(done.body.results).toMatchObject([{ command: "DELETE", rowCount: 2 }]);
});

test("finds the row that a caller has read by its version, and not one that was changed meanwhile", async () => {
  const key = await databaseOf(
    "create table t (id int primary key, n json)",
    "insert into t values (1, '{}')",
  );
  const body = { sql: "select xmin from t" };
  const [[xmin]] = (await api.send("POST", "/v1/databases/query", { key, body })).body.rows;
  const update = { type: "rows.update", table: "t", set: { n: { a: 1 } }, where: { id: 1, xmin } };
  expect((await act(key, { ...update, expectedRows: 1 })).status).toBe(200);
  expect((await act(key, { ...update, expectedRows: 1 })).status).toBe(409);
});

test("names the command of a tried statement", async () => {
  const key = await databaseOf("create table t (id int)");
  const tried = await api.send("POST", "/v1/databases/actions", {
    key,
    body: {
      dryRun: true,
      actions: [
        { type: "sql", sql: "with made as (select 1 as id) insert into t select id from made" },
        { type: "sql", sql: "create index on t (id)" },
        { type: "rows.insert", table: "t", rows: [{ id: 2 }] },
      ],
    },
  });
  expect(tried.body.results).toEqual([
    { type: "sql", rowCount: 1, command: "INSERT" },
    { type: "sql", rowCount: null, command: "CREATE INDEX" },
    { type: "rows.insert", rowCount: 1 },
  ]);
  expect(await count(key)).toEqual([[0]]);
});
