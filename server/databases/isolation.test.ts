import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { type Answered, startApi } from "#server/testing/api.ts";
import { openStream } from "#server/testing/streams.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { makeEvent, startDelivering } from "#server/testing/webhooks.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

async function provisioned() {
  const root = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key: root.key, body: {} });
  return root.key;
}

const query = (key: string, sql: string, extra: Record<string, unknown> = {}) =>
  api.send("POST", "/v1/databases/query", { key, body: { sql, ...extra }, idempotencyKey: null });
const run = (key: string, sql: string, extra: Record<string, unknown> = {}) =>
  api.send("POST", "/v1/databases/actions", { key, body: { actions: [{ type: "sql", sql }], ...extra } });

test.each([
  "select datname from pg_database",
  "select rolname from pg_roles",
  "select * from pg_authid",
  "select * from pg_stat_activity",
  "select * from pg_stat_database",
  "select * from pg_locks",
  "select pg_stat_get_activity(null)",
  "select lo_creat(-1)",
  "select pg_logical_emit_message(false, 'a', 'b')",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "do $$ begin execute 'copy (select 1) to program ''id'''; end $$",
  "do $$ begin execute 'load ''auto_explain'''; end $$",
  "set role postgres",
  "set session authorization postgres",
  "create schema elsewhere",
  "create event trigger seen on ddl_command_start execute function now()",
  "create foreign data wrapper beyond",
  "create function outside() returns int language c as 'a', 'b'",
  "select pg_ls_dir('.')",
  "select * from pg_tablespace",
  "select pg_advisory_lock(1)",
  "select pg_try_advisory_xact_lock_shared(1)",
  "create rule hidden as on insert to pg_catalog.pg_authid do nothing",
  "select pg_tablespace_size('pg_default')",
])("gives a tenant nothing beyond their database: %s", async (sql) => {
  const key = await provisioned();
  const refused = await run(key, sql);
  expect(refused.body.error).toMatchObject({ status: 400, sqlState: "42501" });
});

test("keeps one tenant out of another's database", async () => {
  const [one, other] = [await provisioned(), await provisioned()];
  await run(one, "create table secrets as select 'hidden' as word");
  const name = (await query(one, "select current_database()")).body.rows[0][0];
  const across = await run(other, `select * from ${name}.public.secrets`);
  expect(across.body.error).toMatchObject({ status: 400, sqlState: "0A000" });
  const own = await query(other, "select count(*)::int from secrets");
  expect(own.body.error).toMatchObject({ status: 400, sqlState: "42P01" });
  expect((await run(other, `alter role ${name} superuser`)).body.error).toMatchObject({ sqlState: "42501" });
  expect((await run(other, `set role ${name}`)).body.error).toMatchObject({ sqlState: "42501" });
  expect((await run(other, "create extension dblink")).body.error).toMatchObject({ status: 400 });
});

test("lets no tenant end the work of another, or the platform's", async () => {
  const [one, other] = [await provisioned(), await provisioned()];
  const [[neighbour]] = (await query(one, "select pg_backend_pid()")).body.rows;
  const [platform] = await api.platform.tenants.admin("embedded")`select pg_backend_pid() as pid`;
  for (const pid of [neighbour, platform?.pid])
    for (const end of ["pg_terminate_backend", "pg_cancel_backend"])
      expect((await run(other, `select ${end}(${pid})`)).body.error).toMatchObject({ sqlState: "42501" });
  expect((await query(one, "select pg_backend_pid()")).body.rows).toEqual([[neighbour]]);
});

test("says that a statement ended its own connection, and serves the next one", async () => {
  const key = await provisioned();
  for (const send of [query, run])
    expect((await send(key, "select pg_terminate_backend(pg_backend_pid())")).body.error).toMatchObject({
      status: 400,
      code: "invalid_request",
      sqlState: "57P01",
      operationState: "not_started",
    });
  expect((await query(key, "select 1")).body.rows).toEqual([[1]]);
});

test("lets no tenant lock themselves or the platform out", async () => {
  const key = await provisioned();
  const [role] = (await query(key, "select current_user::text")).body.rows[0];
  await run(key, "create table kept as select 1 as n");
  for (const sql of [
    `alter role ${role} password 'mine'`,
    `alter role ${role} set local_preload_libraries = 'missing'`,
    `alter role ${role} set default_transaction_read_only = on`,
    `alter role ${role} set search_path = nowhere`,
  ])
    expect((await run(key, sql)).status).toBe(200);
  for (const sql of [
    `alter database ${role} connection limit 0`,
    `revoke connect on database ${role} from ${role}`,
    `alter role ${role} nologin`,
    `alter role ${role} connection limit 0`,
    `alter role ${role} valid until 'yesterday'`,
    `drop role ${role}`,
    "drop schema public cascade",
    "alter schema public rename to other",
  ])
    await run(key, sql);
  await api.platform.tenants.disconnect({ cluster: "embedded", database: role });
  expect((await query(key, "select n from kept")).body.rows).toEqual([[1]]);
  expect((await run(key, "insert into kept values (2)")).status).toBe(200);
});

test.each([
  ["select set_config('TimeZone', 'Asia/Tokyo', false)", "select current_setting('TimeZone')", "UTC"],
  ["select set_config('work_mem', '1GB', false)", "select current_setting('work_mem')", "4MB"],
  [
    "select set_config('statement_timeout', '0', false)",
    "select current_setting('statement_timeout')",
    "15s",
  ],
  [
    "select set_config('search_path', 'pg_catalog', false)",
    "select current_setting('search_path')",
    "public",
  ],
  [
    "do $$ begin execute 'prepare kept as select 1'; end $$",
    "select count(*) from pg_prepared_statements",
    "0",
  ],
  ["do $$ begin execute 'listen news'; end $$", "select count(*) from pg_listening_channels()", "0"],
  ["declare kept cursor with hold for select 1", "select count(*) from pg_cursor() where name <> ''", "0"],
])("leaves nothing of one call to the next: %s", async (sql, look, seen) => {
  const key = await provisioned();
  expect((await run(key, sql)).status).toBe(200);
  expect((await query(key, look)).body.rows).toEqual([[seen]]);
});

test.each([
  "do $$ begin loop begin perform pg_sleep(30); exception when query_canceled then perform set_config('statement_timeout', '0', false); end; end loop; end $$",
  "do $$ begin loop begin perform 1; exception when others then null; end; end loop; end $$",
  "do $$ begin loop raise notice 'still here'; end loop; end $$",
])("ends a statement that does not end by itself, and the next one works: %s", async (sql) => {
  const key = await provisioned();
  const ended = await run(key, sql, { timeoutMs: 300 });
  expect(ended.body.error).toMatchObject({
    status: 422,
    code: "query_limit_exceeded",
    operationState: "not_started",
  });
  expect((await query(key, "select 1")).status).toBe(200);
});

test("enforces the call's time limit on a function, whatever it sets for itself or for the role", async () => {
  const key = await provisioned();
  const [role] = (await query(key, "select current_user::text")).body.rows[0];
  await run(
    key,
    "create function slow() returns void language plpgsql set statement_timeout = 0 as $$ begin perform pg_sleep(30); end $$",
  );
  await run(
    key,
    `create function unbind() returns void language plpgsql security definer
      as $$ begin execute 'alter role ${role} set statement_timeout = 0'; end $$`,
  );
  expect((await run(key, "select unbind()")).status).toBe(200);
  const slow = await query(key, "select slow()", { timeoutMs: 300 });
  expect(slow.body.error).toMatchObject({ status: 422, code: "query_limit_exceeded", sqlState: "57014" });
});

test("keeps no result in memory that no answer holds", async () => {
  const key = await provisioned();
  const before = process.memoryUsage().rss;
  const patient = { timeoutMs: 60_000 };
  const rows = await query(key, "select repeat('x', 30000000) from generate_series(1, 500)", patient);
  expect(rows.body.error).toMatchObject({ status: 422, code: "query_limit_exceeded" });
  const one = await query(key, "select repeat('x', 300000000)", patient);
  expect(one.body.error).toMatchObject({ status: 422, code: "query_limit_exceeded" });
  expect(process.memoryUsage().rss - before).toBeLessThan(1_500_000_000);
  expect((await query(key, "select 1")).status).toBe(200);
});

test("bounds the error of a failed statement", async () => {
  const key = await provisioned();
  const said = await run(key, "do $$ begin raise exception '%', repeat('x', 3000000); end $$");
  expect(said.body.error).toMatchObject({ status: 400, sqlState: "P0001" });
  expect(said.body.error.message.length).toBeLessThan(1100);
});

test("bounds temporary space, an answer's row and parallel statements", async () => {
  const key = await provisioned();
  const sort = `select max(place) from (
    select row_number() over (order by md5(n::text), pad) place from (select n, repeat('x', 400) pad from generate_series(1, 600000) n) t) s`;
  const sorted = await query(key, sort, { timeoutMs: 30_000 });
  expect(sorted.body.error).toMatchObject({ status: 422, code: "query_limit_exceeded", sqlState: "53400" });
  const wide = await query(key, "select repeat('x', 70000000)", { timeoutMs: 30_000 });
  expect(wide.body.error).toMatchObject({ status: 422, code: "query_limit_exceeded" });
  await run(key, "create table locked as select 1 as n");
  const [[name]] = (await query(key, "select current_database()")).body.rows;
  const operator = postgres(tenants.url(name), { max: 1 });
  const ended: Answered[] = [];
  const many = await operator.begin(async (tx) => {
    await tx`lock table locked in access exclusive mode`;
    const many = Array.from({ length: 8 }, async () => {
      ended.push(await query(key, "select n from locked", { timeoutMs: 60_000 }));
    });
    const codes = () => ended.map(({ body }) => body.error?.code);
    await expect.poll(codes).toEqual(Array(3).fill("service_rate_limited"));
    return many;
  });
  await Promise.all(many);
  await operator.end();
  expect(ended.map(({ status }) => status)).toEqual([429, 429, 429, 200, 200, 200, 200, 200]);
});

test("ends the statement of a client that leaves", async () => {
  const key = await provisioned();
  const leaving = new AbortController();
  const sent = fetch(`${api.origin}/v1/databases/query`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ sql: "select pg_sleep(20)", timeoutMs: 30_000 }),
    signal: leaving.signal,
  }).catch(() => "left");
  const admin = api.platform.tenants.admin("embedded");
  const sleeping = async () => {
    const [row] = await admin<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'`;
    return row?.n;
  };
  await expect.poll(sleeping).toBe(1);
  leaving.abort();
  expect(await sent).toBe("left");
  // Long before it would have ended by itself.
  await expect.poll(sleeping).toBe(0);
});

test("says that the cluster is gone, and works again when it is back", async () => {
  const key = await provisioned();
  await run(key, "create table kept as select 1 as n");
  tenants.kill();
  // Its sessions outlive it for a moment, and may respond.
  await expect
    .poll(async () => (await query(key, "select n from kept")).body.error, { interval: 5 })
    .toMatchObject({
      status: 503,
      code: "service_unavailable",
      message: expect.stringContaining("MANAGED_DATABASE_URLS"),
    });
  await expect.poll(async () => (await query(key, "select n from kept")).status).toBe(200);
});

test("belongs to the account: a key that is bound to a part of it does not reach it", async () => {
  const root = await api.createRootKey();
  const project = (await api.send("POST", "/v1/projects", { key: root.key, body: { name: "Part" } })).body
    .project;
  const bound = await api.createChild(root.key, { projectId: project.id });
  const refused = await query(bound.key, "select 1");
  expect(refused.body.error).toMatchObject({ status: 403, code: "project_not_allowed" });
});

test("sends its events to keys of the account, also within a project, and to no key bound to a part", async () => {
  await startDelivering(api);
  const root = await api.createRootKey();
  const project = await makeEvent(api, root.key, "Part");
  const ofProject = await api.createChild(root.key, { projectId: project });
  const ofEndUser = await api.createChild(root.key, { endUser: "ada" });
  const follow = (key: string, query = "") =>
    openStream(`${api.origin}/v1/events?types=database.*,file.created${query}`, { key });
  const streams = {
    root: await follow(root.key),
    within: await follow(root.key, `&projectId=${project}`),
    ofProject: await follow(ofProject.key),
    ofEndUser: await follow(ofEndUser.key),
  };
  await api.mustSend(201, "POST", "/v1/databases/account", { key: root.key, body: {} });
  for (const { key } of [ofProject, ofEndUser])
    await api.mustSend(201, "POST", "/v1/files", {
      key,
      headers: { "x-file-name": "last.txt" },
      bytes: Buffer.from("last"),
    });
  const firstOf = async (stream: keyof typeof streams) => (await streams[stream].next())?.event;
  expect(await firstOf("root")).toBe("database.provisioned");
  expect(await firstOf("within")).toBe("database.provisioned");
  expect(await firstOf("ofProject")).toBe("file.created");
  expect(await firstOf("ofEndUser")).toBe("file.created");
});
