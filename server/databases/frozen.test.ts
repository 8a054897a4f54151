import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { type LoadCall, startLoad } from "#server/testing/load.ts";
import { startNetwork } from "#server/testing/network.ts";
import { createRun, runWith, startRuns, timesClaimed } from "#server/testing/runs.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase, queryRows, runActions } from "#server/testing/transfers.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const tenants = await startTenantCluster();
const network = await startNetwork(() => tenants.url("postgres"));
const cluster = tenantCluster("embedded", network.url, tenants.cluster.signal);
const api = await startApi({ settings: { tenantClusters: [cluster] } });
afterAll(() => tenants.drop());

/** The kinds of calls that need the cluster. */
const NEEDY = ["query", "sleep", "insert", "read", "provision"];

test.each([
  ["processes are stopped", tenants.freeze, tenants.thaw, 30_000],
  ["packets are swallowed", network.cut, network.restore, 12_000],
])(
  "answers 503 within five seconds to calls that need a cluster whose %s, and to all others as usual",
  async (_, silence, end, silentMs) => {
    const key = await provisionDatabase(api);
    await runActions(api, key, ["create table marks (call text)"]);
    const { key: payer } = await createPayingKey(api, 10_000);
    const query = (sql: string) =>
      api.send("POST", "/v1/databases/query", {
        key,
        idempotencyKey: null,
        body: { sql, timeoutMs: 60_000 },
      });
    const insert = (idempotencyKey: string) =>
      api.send("POST", "/v1/databases/actions", {
        key,
        idempotencyKey,
        body: { actions: [{ type: "sql", sql: `insert into marks values ('${idempotencyKey}')` }] },
      });
    const calls: Record<string, (idempotencyKey: string) => Promise<Answered>> = {
      query: () => query("select count(*) from marks"),
      sleep: () => query("select pg_sleep(3)"),
      insert,
      read: () => api.send("GET", "/v1/databases/account", { key }),
      async provision(idempotencyKey) {
        const { key } = await api.createRootKey();
        return api.send("POST", "/v1/databases/account", { key, idempotencyKey, body: {} });
      },
      list: () => api.send("GET", "/v1/projects", { key }),
      put: (idempotencyKey) =>
        api.send("POST", "/v1/services/managed-memory/invoke", {
          key: payer,
          idempotencyKey,
          body: { operationId: "put", input: { name: idempotencyKey, content: "x" } },
        }),
      health: () => api.send("GET", "/health"),
    };
    const load = startLoad(calls, { pauseMs: (kind) => (kind === "provision" ? 1000 : 50) });
    const { sent } = load;
    await load.untilAnswered(0, ["query", "insert", "read", "provision", "list", "put", "health"]);
    silence();
    const silent = performance.now();
    await sleep(silentMs);
    const isFailed = ({ ok }: { ok: boolean }) => !ok;
    const readHealth = async () => {
      const { ok, status, checks } = (await api.send("GET", "/health")).body;
      return { ok, status, failed: checks.filter(isFailed) };
    };
    const check = {
      name: "databases",
      message: expect.stringContaining("(MANAGED_DATABASE_URLS)"),
    };
    await expect
      .poll(readHealth)
      .toEqual({ ok: true, status: "degraded", failed: [expect.objectContaining(check)] });
    end();
    const back = performance.now();
    await load.untilAnswered(back + 5000);
    await load.stop();

    // Of the platform's health, a check that a busy machine delays by a second counts as failed.
    const failed = sent.filter(({ kind, answer }) => answer.status >= 400 && kind !== "health");
    const summary = ({ kind, answer: { status, body } }: LoadCall<Answered>) =>
      [kind, status, body.error?.code, /\(MANAGED_DATABASE_URLS\)/.exec(body.error?.message)?.[0]].join(" ");
    expect(new Set(failed.map(summary))).toEqual(
      new Set(NEEDY.map((kind) => `${kind} 503 service_unavailable (MANAGED_DATABASE_URLS)`)),
    );
    // A statement may have been running before.
    const late = sent.filter(({ began, took }) => began + took - Math.max(began, silent) > 5000);
    expect(late.map((each) => [summary(each), each.began - silent, each.took])).toEqual([]);
    expect(failed.filter(({ began }) => began > back + 5000).map(summary)).toEqual([]);

    // A repeat executes each refused or uncertain call once, and nothing of the first attempt remains.
    const inserts = sent.filter(({ kind }) => kind === "insert");
    for (const { idempotencyKey, answer } of inserts)
      if (answer.status >= 400)
        expect((await untilAnswered(() => insert(idempotencyKey))).body).toMatchObject({ ok: true });
    const marks = await queryRows(api, key, "select call from marks order by 1");
    expect(marks.flat()).toEqual(inserts.map(({ idempotencyKey }) => idempotencyKey).sort());
    const running = () => api.platform.tenants.admin("embedded")`
    select from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await running()).length).toBe(0);
  },
);

test("a run waits for a silent cluster, and applies its actions once", async () => {
  const worker = await startRuns(api);
  onTestFinished(worker.stop);
  const { key } = await createPayingKey(api, 100);
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
  await runActions(api, key, ["create table marks (call text)"]);
  const insert = { actions: [{ type: "sql", sql: "insert into marks values ('run')" }] };
  const steps = [{ id: "mark", type: "operation", operation: "databases.actions", body: insert }];
  tenants.freeze();
  const { body } = await createRun(api, key, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Mark", steps } },
  });
  // It has been left and continued.
  await expect.poll(() => timesClaimed(api, body.run.id)).toBeGreaterThan(2);
  tenants.thaw();
  const { timeline } = await runWith(api, key, body.run.id, "succeeded");
  expect(timeline.filter(({ type }: { type: string }) => type === "retry")).toEqual([]);
  expect(await queryRows(api, key, "select call from marks")).toEqual([["run"]]);
});
