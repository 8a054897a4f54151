import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startNetwork } from "#server/testing/network.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { tenantCluster } from "./cluster.ts";
import { NoRoom } from "./growth.ts";
import { createTenantSessions } from "./sessions.ts";

const MB = 1_048_576;
const tenants = await startTenantCluster();
const bounds = {
  connections: 2,
  messageBytes: 64 * MB,
  databaseBytes: 64 * MB,
  temporaryBytes: 64 * MB,
  statementMs: 60_000,
};
const sessions = createTenantSessions([tenants.cluster], bounds);
afterAll(async () => {
  await sessions.close();
  await tenants.drop();
});

const tenant = { cluster: "embedded", database: "flooded", login: { role: "flooded", password: "flooded" } };
const writing = { readOnly: false, timeoutMs: 60_000, signal: new AbortController().signal };

test("ends a statement that fills the database while it writes, and undoes it", async () => {
  const admin = sessions.admin("embedded");
  await admin.unsafe("create role flooded login");
  await admin.unsafe("create database flooded owner flooded");
  await sessions.transaction(
    tenant,
    writing,
    ({ sql }) => sql.unsafe("create table pages (pad text)"),
    ({ sql }) => sql.unsafe("commit"),
  );
  const flood =
    "insert into pages select repeat('x', 1900) from generate_series(1, 10000) a, generate_series(1, 10000) b";
  const writes = sessions.transaction(tenant, writing, ({ sql }) => sql.unsafe(flood));
  await expect(writes).rejects.toThrow(NoRoom);
  const rows = await sessions.transaction(tenant, { ...writing, readOnly: true }, ({ sql }) =>
    sql.unsafe("select from pages"),
  );
  expect(rows).toHaveLength(0);
  const write = (statements: string) =>
    sessions.transaction(
      tenant,
      writing,
      ({ sql }) => sql.unsafe(statements),
      ({ sql }) => sql.unsafe("commit"),
    );
  // A full database cannot grow, but can still be made smaller.
  await expect(write("create table more as select repeat('x', 9000)")).rejects.toThrow(NoRoom);
  await write("select pg_sleep(1); truncate pages");
  const [{ bytes } = { bytes: "" }] = await admin<
    { bytes: string }[]
  >`select pg_database_size('flooded')::text as bytes`;
  expect(Number(bytes)).toBeLessThan(64 * MB);
});

test("leaves nothing of a call that only reads to the one that waits for its connection", async () => {
  const left = [
    "select set_config('TimeZone', 'Asia/Tokyo', false), set_config('statement_timeout', '1', false)",
    "do $$ begin execute 'prepare kept as select 1'; execute 'declare held cursor with hold for select 1'; end $$",
  ];
  const look = `select current_setting('TimeZone') || current_setting('statement_timeout') as settings,
    (select count(*) from pg_prepared_statements) as prepared, (select count(*) from pg_cursor() where name <> '') as cursors,
    (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks`;
  const reading = { ...writing, readOnly: true };
  const read = (statement: string) =>
    sessions.transaction(tenant, reading, ({ sql }) => sql.unsafe<Record<string, unknown>[]>(statement));
  // Two connections serve all of them, one after the other.
  const answers = await Promise.all([...left, ...left, look, look, look, look].map(read));
  const clean = [{ settings: "UTC1min", prepared: "0", cursors: "0", locks: "0" }];
  expect(answers.slice(4).map((rows) => [...rows])).toEqual([clean, clean, clean, clean]);
});

test("commits nothing once its connection is lost between two statements, and reports it", async () => {
  const network = await startNetwork(() => tenants.url());
  const remote = createTenantSessions([tenantCluster("embedded", network.url)], bounds);
  const write = (id: number, between: () => unknown) =>
    remote.transaction(
      tenant,
      writing,
      async ({ sql }) => {
        await sql.unsafe(`insert into written values (${id})`);
        await between();
        await sql.unsafe(`insert into written values (${id + 1})`);
      },
      ({ sql }) => sql.unsafe("commit"),
    );
  await sessions.inside("embedded", "flooded", (sql) => sql`create table written (id int)`);
  await sessions.inside("embedded", "flooded", (sql) => sql`grant all on written to flooded`);
  const lost = write(1, async () => {
    network.reset();
    await sleep(100);
  });
  await expect(lost).rejects.toThrow();
  await write(3, () => undefined);
  const rows = await sessions.inside("embedded", "flooded", (sql) => sql`select id from written order by id`);
  expect([...rows]).toEqual([{ id: 3 }, { id: 4 }]);
  await remote.close();
});

test("ends at its start the sessions that a killed process has left, and no recent ones", async () => {
  const role = `tenant_${randomBytes(12).toString("hex")}`;
  const admin = sessions.admin("embedded");
  await admin.unsafe(`create role ${role} login password 'left'`);
  await admin.unsafe(`create database ${role}`);
  const url = tenants.cluster.url(role, { role, password: "left" });
  const loop = `do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$`;
  const program = `import postgres from "postgres";
    const options = { max: 1, connection: { client_connection_check_interval: 0 } };
    postgres(${JSON.stringify(url)}, options).unsafe(${JSON.stringify(loop)}).catch(() => undefined);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
  const left = async () =>
    (await admin`select from pg_stat_activity where datname = ${role} and wait_event = 'PgSleep'`).length;
  await expect.poll(left).toBe(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = createTenantSessions([tenants.cluster], {
    connections: 2,
    messageBytes: 64 * MB,
    databaseBytes: 64 * MB,
    temporaryBytes: 64 * MB,
    statementMs: 2500,
  });
  try {
    expect(await left()).toBe(1);
    // Twice the maximum duration of a statement, with a check every two seconds.
    await expect.poll(left).toBe(0);
  } finally {
    await next.close();
  }
});
