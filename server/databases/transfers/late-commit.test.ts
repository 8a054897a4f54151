import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { eventually } from "#server/testing/eventually.ts";
import { startNetwork } from "#server/testing/network.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  deprovisionDatabase,
  downloadArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
} from "#server/testing/transfers.ts";

const folder = mkdtempSync(join(tmpdir(), "late-commit-"));
const platform = await startTestCluster();
const tenants = await startTenantCluster();
const settings = { tenantClusters: [tenants.cluster], blobs: { folder } };
const api = await startApi({ database: platform, settings });
const { client: platformClient } = api.platform.database;
afterAll(async () => {
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("confirms no write that the last export of a database does not have", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [
    "create table rows as select n, md5(n::text) as word, repeat('x', 200) as pad from generate_series(1, 24000) n",
    "create table late (call text)",
  ]);
  const [writing, exporting] = [
    await startNetwork(() => tenants.url("postgres")),
    await startNetwork(() => tenants.url("postgres")),
  ];
  const { origin } = await startServer(platform.url, folder, writing.url());
  await startServer(platform.url, folder, exporting.url(), "--jobs");
  /** Repeats the call under its key while its outcome is unknown, as it is once the network has been cut for long. */
  async function write(call: string): Promise<{ status: number; code: string }> {
    const lock = "lock table late in exclusive mode";
    const actions = [lock, `insert into late values ('${call}')`].map((sql) => ({ type: "sql", sql }));
    const request = {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": unique("late"),
        "content-type": "application/json",
      },
      body: JSON.stringify({ actions, timeoutMs: 60_000 }),
    };
    return eventually(async () => {
      const answer = await fetch(`${origin}/v1/databases/actions`, request);
      const code = (await answer.json()).error?.code;
      return answer.status === 503 ? undefined : { status: answer.status, code };
    });
  }

  // One call is about to commit, the other waits for it before its insert.
  const [database] = await platformClient`select name from tenant_databases`;
  const tenant = postgres(tenants.url(database?.name), { max: 2 });
  const { calls, committing } = await tenant.begin(async (tx) => {
    await tx`lock table late`;
    const calls = Promise.all([write("first"), write("second")]);
    const waiting = () => tenant`select from pg_stat_activity where wait_event = 'relation'`;
    await expect.poll(waiting).toHaveLength(2);
    return { calls, committing: writing.cutWithin(/\bcommit\W$/, 1) };
  });
  await tenant.end();
  await committing;
  const midway = exporting.cutWithin(/select "n"/i, 1_000_000);
  const finalTransferId = await deprovisionDatabase(api, key);
  await midway;
  writing.restore();
  const answers = await calls;
  exporting.restore();
  expect(answers).toEqual([
    { status: 409, code: "state_conflict" },
    { status: 409, code: "state_conflict" },
  ]);
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status).toBe("absent");
  const bytes = await downloadArchive(api, key, finalTransferId);
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
  expect(await importArchive(api, key, bytes)).toMatchObject({ status: "completed" });
  expect(await queryRows(api, key, "select call from late")).toEqual([]);
});
