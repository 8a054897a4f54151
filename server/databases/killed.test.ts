import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { mapConcurrently } from "#server/testing/map-concurrently.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const platform = await startTestCluster();
const tenants = await startTenantCluster();
const api = await startApi({ database: platform, settings: { tenantClusters: [tenants.cluster] } });
const { db } = api.platform.database;
afterAll(() => tenants.drop());

const CALLS = 40;

async function provisioned() {
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  await insert(api.origin, key, "create table marks (call text)", "create-marks");
  return key;
}

/** Makes a call under a new idempotency key; the table counts how often the call is applied. */
async function insert(origin: string, key: string, statement: string, idempotencyKey: string) {
  const answer = await fetch(`${origin}/v1/databases/actions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": idempotencyKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ actions: [{ type: "sql", sql: statement }] }),
  });
  return { status: answer.status, body: await answer.json() };
}

const mark = (origin: string, key: string, call: number) =>
  insert(origin, key, `insert into marks values ('${call}')`, `mark-call-${call}`);

/** Repeats the call while this machine is too busy for the account's calls, or one of them is still in progress. */
async function insist(call: () => ReturnType<typeof insert>) {
  for (;;) {
    const answer = await call();
    const { code } = answer.body.error ?? {};
    const isBusy =
      answer.status === 503 || ["service_rate_limited", "idempotency_in_progress"].includes(code);
    if (!isBusy) return answer;
  }
}

async function marks(key: string): Promise<string[]> {
  const answer = await api.send("POST", "/v1/databases/query", {
    key,
    idempotencyKey: null,
    body: { sql: "select call from marks order by call::int" },
  });
  return answer.body.rows.map(([call]: [string]) => call);
}

const all = Array.from({ length: CALLS }, (_, call) => String(call));

test.each([3, 11, 24])(
  "applies each call once when the server is killed after %i of them",
  async (killedAfter) => {
    const key = await provisioned();
    const { origin, child, untilGone } = await startServer(platform.url, "", tenants.url("postgres"));
    let answered = 0;
    const first = await mapConcurrently(all, 10, async (call) => {
      const answer = await mark(origin, key, Number(call)).catch(() => null);
      if (answer) answered += 1;
      if (answered === killedAfter) child.kill("SIGKILL");
      return answer;
    });
    expect(first).toContain(null);
    await untilGone();
    const again = await Promise.all(all.map((call) => insist(() => mark(api.origin, key, Number(call)))));
    expect(again.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await marks(key)).toEqual(all);
    const left = await db.execute(sql`select from database_commits`);
    expect(left).toHaveLength(0);
  },
);

test("blames no statement for a restart of its cluster, even if the restart has ended before it is checked", async () => {
  const key = await provisioned();
  const { origin, child } = await startServer(platform.url, "", tenants.url("postgres"));
  const asked = insert(origin, key, "select pg_sleep(20)", "sleeps-meanwhile");
  const admin = api.platform.tenants.admin("embedded");
  const sleepers = () => admin`
    select from pg_stat_activity where query like 'select pg_sleep(20)%' and state = 'active'`;
  const startedAt = async () => {
    const [row] = await admin<{ at: string }[]>`select pg_postmaster_start_time()::text as at`;
    return row?.at;
  };
  await expect.poll(sleepers, { interval: 20 }).toHaveLength(1);
  const before = await startedAt();
  child.kill("SIGSTOP");
  tenants.kill("SIGINT");
  await expect.poll(() => startedAt().catch(() => before), { interval: 20 }).not.toBe(before);
  child.kill("SIGCONT");
  expect((await asked).body.error).toMatchObject({ status: 503, code: "service_unavailable" });
  child.kill("SIGKILL");
});

test("reports the outcome of calls during which the cluster died, and applies none of them twice", async () => {
  const key = await provisioned();
  let answered = 0;
  const answers = await Promise.all(
    all.map(async (call) => {
      const answer = await mark(api.origin, key, Number(call));
      answered += 1;
      if (answered === 5) tenants.kill();
      return answer;
    }),
  );
  const outcomes = new Set(answers.map(({ status, body }) => (status === 200 ? "applied" : body.error.code)));
  expect(
    [...outcomes].filter(
      (code) => !["applied", "service_unavailable", "service_timeout", "service_rate_limited"].includes(code),
    ),
  ).toEqual([]);
  for (const call of all)
    await expect.poll(async () => (await mark(api.origin, key, Number(call))).status).toBe(200);
  expect(await marks(key)).toEqual(all);
});
