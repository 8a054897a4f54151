import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { eventually } from "#server/testing/eventually.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

// 20 connections are the administrator's.
const tenants = await startTenantCluster({ maxConnections: 60 });
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

async function provisioned() {
  const root = await api.createRootKey();
  const made = await api.send("POST", "/v1/databases/account", { key: root.key, body: {} });
  expect(made.body).toMatchObject({ ok: true });
  expect(made.status).toBe(201);
  return root.key;
}

const query = (key: string, sql: string, extra: Record<string, unknown> = {}) =>
  api.send("POST", "/v1/databases/query", { key, body: { sql, ...extra }, idempotencyKey: null });
const run = (key: string, ...statements: string[]) =>
  api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions: statements.map((sql) => ({ type: "sql", sql })), timeoutMs: 5000 },
  });

/** Sleeps for 30 s, and ignores cancellation. */
const REFUSES_TO_END =
  "do $$ begin loop begin perform pg_sleep(30); exception when query_canceled then null; end; end loop; end $$";

/** Waits until so many statements of an attack are under way. */
const untilUnderWay = (least: number) =>
  eventually(async () => {
    // The views would wait for the locks of an attack.
    const statements = await api.platform.tenants.admin("embedded")`
      select from pg_stat_get_activity(null)
      where state = 'active' and query ~ 'pg_sleep|create table t' and pid <> pg_backend_pid()`;
    return statements.length >= least || undefined;
  });

/** Repeats an attack, so that calls never outlast it, however slow the machine is. */
function startRounds(attack: () => Promise<unknown>[], least: number) {
  let stopped = false;
  let ended = 0;
  const rounds = (async () => {
    for (; !stopped; ended++) await Promise.all(attack());
  })();
  return {
    /** Makes calls one after the other, each while the attack is under way; returns how many rounds ended meanwhile. */
    async countDuring(calls: number, call: () => Promise<unknown>): Promise<number> {
      const before = ended;
      for (let nth = 0; nth < calls; nth++) {
        await untilUnderWay(least);
        await call();
      }
      return ended - before;
    },
    async stop() {
      stopped = true;
      await rounds;
    },
  };
}

/**
 * Expects that another account's queries, first connections and new databases do not wait for the end of an attack, which
 * lasts for seconds: then each would outlast a round of it.
 */
async function expectUndisturbed(neighbour: string, attack: () => Promise<unknown>[], least = 1) {
  const [role] = (await query(neighbour, "select current_database()")).body.rows[0];
  const select = async () => expect((await query(neighbour, "select 1")).status).toBe(200);
  const signIn = async () => {
    await api.platform.tenants.disconnect({ cluster: "embedded", database: role });
    await select();
  };
  const rounds = startRounds(attack, least);
  expect(await rounds.countDuring(16, select)).toBeLessThan(4);
  expect(await rounds.countDuring(12, signIn)).toBeLessThan(3);
  expect(await rounds.countDuring(3, provisioned)).toBeLessThan(3);
  await rounds.stop();
}

test.each([
  ["alters its role", "alter role current_user set work_mem = '1MB'"],
  ["changes its password", "alter role current_user password 'mine'"],
  [
    "alters its role in the first database",
    "alter role current_user in database postgres set work_mem = '1MB'",
  ],
  ["notifies", "notify news, 'x'"],
  ["grants itself its own rights", "grant select on all tables in schema public to current_user"],
])("leaves its neighbours undisturbed: a statement that %s and refuses to end", async (_, sql) => {
  const [attacker, neighbour] = [await provisioned(), await provisioned()];
  await expectUndisturbed(neighbour, () =>
    Array.from({ length: 5 }, async () => {
      const { body } = await run(attacker, sql, REFUSES_TO_END);
      expect(body.error).toMatchObject({ operationState: "not_started" });
    }),
  );
  // Its changes are rolled back with it.
  expect((await query(attacker, "select 1")).status).toBe(200);
});

test.each([
  "create trigger seen before insert on pg_catalog.pg_authid for each row execute function suppress_redundant_updates_trigger()",
  "create table child (id oid references pg_catalog.pg_authid (oid))",
  "alter database postgres rename to other",
])("ends a statement that waits for a lock on an object that all databases share: %s", async (sql) => {
  const [attacker, neighbour] = [await provisioned(), await provisioned()];
  await run(attacker, "alter role current_user reset all");
  await expectUndisturbed(neighbour, () => [
    run(attacker, "alter role current_user in database postgres set work_mem = '1MB'", REFUSES_TO_END),
    ...Array.from({ length: 3 }, async () => {
      await sleep(200);
      const { body } = await run(attacker, `do $$ begin perform pg_sleep(0.1); execute '${sql}'; end $$`);
      expect(body.error.operationState).toBe("not_started");
    }),
  ]);
});

test("ends a transaction that uses up the locks of all databases", async () => {
  const [attacker, neighbour] = [await provisioned(), await provisioned()];
  const flood =
    "do $$ begin for n in 1..20000 loop execute format('create table t%s (n serial primary key, word text unique)', n); end loop; end $$";
  // Long enough for a slow machine to reach the refused statement.
  const body = { actions: [{ type: "sql", sql: flood }], timeoutMs: 60_000 };
  await expectUndisturbed(neighbour, () => [
    api.send("POST", "/v1/databases/actions", { key: attacker, body }).then(({ body }) =>
      expect(body.error).toMatchObject({
        code: "query_limit_exceeded",
        operationState: "not_started",
        message: expect.stringContaining("locks, which all databases of the cluster share"),
      }),
    ),
  ]);
});

test("holds a commit to the call's time too, when a trigger waits for it", async () => {
  const key = await provisioned();
  await run(
    key,
    "create table late (n int)",
    "create function linger() returns trigger language plpgsql as $$ begin if new.n > 1 then perform pg_sleep(30); end if; insert into late values (new.n + 1); return null; end $$",
    "create constraint trigger lingering after insert on late deferrable initially deferred for each row execute function linger()",
    "create function defer() returns trigger language plpgsql as $$ begin set constraints all deferred; return new; end $$",
    "create trigger deferring before insert on late for each row execute function defer()",
  );
  const clock = startClock();
  const { body } = await run(key, "insert into late values (1)");
  expect(body.error).toMatchObject({ code: "query_limit_exceeded" });
  expect(clock()).toBeLessThan(9000);
  expect((await query(key, "select count(*)::int from late")).body.rows).toEqual([[0]]);
});

test("leaves the first statement of an account room beside accounts that use all they may", async () => {
  const hostile = await Promise.all(Array.from({ length: 12 }, provisioned));
  const neighbour = await provisioned();
  const bystanders = await Promise.all(Array.from({ length: 6 }, provisioned));
  const sleeping = "select pg_sleep(9)";
  const attack = () =>
    hostile.flatMap((key) => Array.from({ length: 5 }, () => query(key, sleeping, { timeoutMs: 60_000 })));
  await expectUndisturbed(neighbour, attack, hostile.length);
  const attacks = attack();
  await untilUnderWay(hostile.length);
  const answers = await Promise.all(bystanders.map((key) => query(key, "select 1")));
  expect(answers.map(({ status, body }) => body.error ?? status)).toEqual([200, 200, 200, 200, 200, 200]);
  const ended = await Promise.all(attacks);
  const refused = ended.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body } of refused)
    expect(body.error).toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("connections of the cluster"),
    });
});

test("opens a connection in place of idle ones where the cluster is fuller than was known", async () => {
  const idle = await Promise.all(Array.from({ length: 12 }, provisioned));
  const bystanders = await Promise.all(Array.from({ length: 3 }, provisioned));
  for (const key of idle) expect((await query(key, "select 1")).status).toBe(200);
  const admin = postgres(tenants.url("postgres"), { max: 60 });
  onTestFinished(() => admin.end({ timeout: 1 }));
  const [row] = await admin<{ free: number }[]>`
    select 40 - count(*)::int as free from pg_stat_activity where backend_type = 'client backend'`;
  // Concurrent, so that nobody has counted them when the next call comes.
  await Promise.all(Array.from({ length: defined(row).free + 1 }, () => admin`select pg_sleep(0.1)`));
  const answers = await Promise.all(bystanders.map((key) => query(key, "select 1")));
  expect(answers.map(({ status, body }) => body.error ?? status)).toEqual([200, 200, 200]);
});

/** Twice the deadline of five seconds, one look at the cluster, and the delays of a busy machine. */
const TWICE_ITS_DEADLINE_MS = 14_000;

test("kills a statement that looks at no signal at twice its deadline, and holds its account back", async () => {
  const [attacker, neighbour] = [await provisioned(), await provisioned()];
  const endless = "select strpos(repeat('a', 40000000), 'b' || repeat('a', 20000000))";
  const clock = startClock();
  // Longer than creating the texts takes, which does check for interrupts.
  const answered = await query(attacker, endless, { timeoutMs: 5000 });
  expect(answered.body.error).toMatchObject({ code: "query_limit_exceeded", sqlState: "57014" });
  const admin = api.platform.tenants.admin("embedded");
  const running = async () => {
    const rows = await admin`select from pg_stat_activity where query like 'select strpos(repeat%'`.catch(
      () => [],
    );
    return rows.length;
  };
  expect(await running()).toBe(1);
  expect((await query(neighbour, "select 1")).status).toBe(200);
  await expect.poll(running).toBe(0);
  expect(clock()).toBeLessThan(TWICE_ITS_DEADLINE_MS);
  // The cluster first replays everything that earlier tests have written.
  await expect.poll(async () => (await query(neighbour, "select 1")).body).toMatchObject({ ok: true });
  expect((await query(attacker, "select 1")).body.error).toMatchObject({
    status: 429,
    code: "service_rate_limited",
    message: expect.stringContaining("could not be ended"),
  });
});
