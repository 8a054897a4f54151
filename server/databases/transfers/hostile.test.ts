import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  deprovisionDatabase,
  downloadArchive,
  endOfTransfer,
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  startTransfer,
  startWithDatabases,
} from "#server/testing/transfers.ts";

const api = await startWithDatabases();

const scratchDatabases = () =>
  api.platform.tenants.admin("embedded")`
    select datname from pg_database where datname like 'scratch%' union select rolname from pg_roles where rolname like 'scratch%'`;

test("keeps a database whose last archive can't be imported again, says why, and leaves nothing of the trial", async () => {
  const key = await provisionDatabase(api);
  const [[name]] = (await queryRows(api, key, "select current_database()")) as [[string]];
  await runActions(api, key, [
    `create domain home as int constraint at_home check (current_database() = '${name}')`,
    "create table guests (n home)",
    "insert into guests values (1)",
  ]);
  const transfer = await endOfTransfer(api, key, await deprovisionDatabase(api, key));
  expect(transfer).toMatchObject({
    status: "failed",
    error: {
      code: "state_conflict",
      message:
        "The archive was tried and can't be imported again, in tables/guests.ndjson. It can't be loaded: value for domain home violates check constraint \"at_home\". Change the named object in the database.",
    },
  });
  expect(await queryRows(api, key, "select n from guests")).toEqual([[1]]);
  expect(await scratchDatabases()).toEqual([]);
});

test("runs nothing of a tenant's with other rights or other functions than its own", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [
    "create table seen (who text)",
    "create function eq(text, text) returns bool language plpgsql as $$ begin insert into seen values (session_user); return true; end $$",
    "create operator = (function = eq, leftarg = text, rightarg = text)",
    "create function format_type(oid, int) returns text language sql as $$ select 'spoilt'::text $$",
    "create function format(text, text) returns text language sql as $$ select 'spoilt'::text $$",
    "create view pg_class as select 'spoilt' as relname",
    "create table things (n int, word text)",
    "insert into things values (1, 'a')",
  ]);
  const other = await provisionDatabase(api);
  expect(await importArchive(api, other, await exportArchive(api, key))).toMatchObject({
    status: "completed",
    error: null,
  });
  expect(await queryRows(api, other, "select n, word from things")).toEqual([[1, "a"]]);
  expect(await queryRows(api, other, "select who from seen")).toEqual([]);
});

test("writes down one state of a structure that changes while it is exported", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table moving (n int)", "create view above as select n from moving"]);
  let [changing, pauseMs] = [true, 400];
  const change = async () => {
    for (let round = 0; changing; round++) {
      const statements = [
        "drop view above",
        `alter table moving add column c${round} int default ${round}`,
        "create view above as select * from moving",
        `insert into moving values (${round})`,
      ];
      const actions = statements.map((sql) => ({ type: "sql", sql }));
      await api.send("POST", "/v1/databases/actions", { key, body: { actions } });
      await sleep(pauseMs);
    }
  };
  const changes = change();
  const exportOne = async () => {
    const id = await startTransfer(api, key, { direction: "export" });
    const { status } = await endOfTransfer(api, key, id);
    return status === "ready" ? id : null;
  };
  let id: string | null = null;
  // A busy machine needs longer for an export between two changes.
  for (; id === null; pauseMs *= 1.5) id = await exportOne();
  changing = false;
  await changes;
  const other = await provisionDatabase(api);
  const imported = await importArchive(api, other, await downloadArchive(api, key, id));
  expect(imported).toMatchObject({ status: "completed", error: null });
  const widths = `select count(*) filter (where attrelid = 'above'::regclass) = count(*) filter (where attrelid = 'moving'::regclass)
    from pg_attribute where attrelid in ('above'::regclass, 'moving'::regclass) and attnum > 0`;
  expect(await queryRows(api, other, widths)).toEqual([[true]]);
});
