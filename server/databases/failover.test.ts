import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { embeddedCluster } from "#server/boot/tenant-clusters.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { startLoad } from "#server/testing/load.ts";
import { startWithStandby } from "#server/testing/standby.ts";
import { provisionDatabase, runActions } from "#server/testing/transfers.ts";

const CALLERS = 3;
/** How long a call may take that is blocked during its commit. */
const COMMIT_MS = 6000;
/** The longest that a call may take, without the time in which others had the cores. */
const LONGEST_MS = 10_000;
const tenants = await startWithStandby("tenants");
const api = await startApi({ settings: { tenantClusters: [embeddedCluster(tenants.url)] } });

/** Writes a call's name into the account's database; sent once. */
function mark(key: string, name: string, timeoutMs = 15_000) {
  const actions = [{ type: "sql", sql: "insert into marks values ($1)", params: [name] }];
  return api.send("POST", "/v1/databases/actions", {
    key,
    idempotencyKey: name,
    body: { actions, timeoutMs },
  });
}

/** The same, repeated with its key until it succeeds; returns the number of failures. */
async function insist(key: string, name: string, timeoutMs?: number): Promise<number> {
  for (let unanswered = 0; ; unanswered += 1) {
    const clock = startClock();
    const { status, body } = await mark(key, name, timeoutMs);
    expect(clock()).toBeLessThan(LONGEST_MS);
    if (status === 200) {
      expect(body.ok).toBe(true);
      return unanswered;
    }
    expect(body.error).toMatchObject({ retryable: true });
    await sleep(50);
  }
}

/** Returns the marks in the account's database, once it responds. */
async function marksOf(key: string): Promise<string[]> {
  const body = { sql: "select name from marks order by name", maxRows: 10_000 };
  for (;;) {
    const answer = await api.send("POST", "/v1/databases/query", { key, idempotencyKey: null, body });
    if (answer.status === 200) return answer.body.rows.map(([name]: [string]) => name);
    expect(answer.body.error).toMatchObject({ retryable: true });
    await sleep(50);
  }
}

async function createMarks(): Promise<string> {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table marks (name text)"]);
  return key;
}

test("three failovers of the tenants' cluster under load: each acknowledged write exists once", async () => {
  const key = await createMarks();
  const kinds = Array.from({ length: CALLERS }, () => "mark");
  const load = startLoad({ mark: (name) => insist(key, name) }, { kinds });
  async function progress() {
    const before = load.sent.length;
    await expect.poll(() => load.sent.length).toBeGreaterThan(before + 2 * CALLERS);
  }
  await progress();
  await tenants.killPrimary();
  await tenants.failOver();
  await progress();

  await tenants.addStandby();
  await progress();
  tenants.freezePrimary();
  await sleep(20);
  await tenants.killPrimary();
  await tenants.failOver();
  await progress();

  await tenants.addStandby();
  await progress();
  tenants.partStandby();
  await sleep(20);
  await tenants.killPrimary();
  await tenants.failOver();
  await progress();

  await load.stop();
  expect(load.sent.some(({ answer: failures }) => failures > 0)).toBe(true);
  expect(await marksOf(key)).toEqual(load.sent.map(({ idempotencyKey }) => idempotencyKey).toSorted());
});

/** Promotes the standby, and writes marks that reuse the transaction ids of lost commits; returns the marks. */
async function failOver(key: string): Promise<string[]> {
  await tenants.killPrimary();
  await tenants.failOver();
  const others = Array.from({ length: 30 }, () => unique("other"));
  for (const name of others) await insist(key, name);
  return others;
}

test("reports no call as applied to a repeat if the standby never got it", async () => {
  await tenants.addStandby();
  const key = await createMarks();
  const names = Array.from({ length: CALLERS }, () => unique("lost"));
  tenants.partStandby();
  const answers = await Promise.all(names.map((name) => mark(key, name)));
  for (const { status, body } of answers)
    expect([status, body.error.code, body.error.retryable]).toEqual([503, "service_unavailable", true]);
  const others = await failOver(key);
  for (const name of names) await insist(key, name);
  expect(await marksOf(key)).toEqual([...names, ...others].toSorted());
});

test("answers no call whose commit is lost with its primary, and applies it once when it is repeated", async () => {
  await tenants.addStandby();
  const key = await createMarks();
  const name = unique("lost");
  const { client } = api.platform.database;
  const parted = await client.begin(async (tx) => {
    // The call is blocked between its transaction's writes and its commit.
    await tx`lock table database_commits in exclusive mode`;
    const call = mark(key, name, COMMIT_MS);
    const held = () =>
      client`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%database_commits%'`;
    await expect.poll(held).toHaveLength(1);
    tenants.partStandby();
    return { call };
  });
  const { status, body } = await parted.call;
  expect([status, body.error.code, body.error.operationState]).toEqual([
    503,
    "service_unavailable",
    "unknown",
  ]);
  const others = await failOver(key);
  await insist(key, name, COMMIT_MS);
  expect(await marksOf(key)).toEqual([name, ...others].toSorted());
});
