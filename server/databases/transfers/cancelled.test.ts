import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  sha256,
  startTransfer,
  uploadPart,
} from "#server/testing/transfers.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

test("applies nothing of an import that was cancelled while its archive was checked", async () => {
  const worker = await startJobs(api);
  const source = await provisionDatabase(api);
  await runActions(api, source, ["create table words as select 'hello' as word"]);
  const bytes = await exportArchive(api, source);
  await worker.stop();

  const key = await provisionDatabase(api);
  const id = await startTransfer(api, key, { direction: "import" });
  expect(await uploadPart(api, key, id, { partNumber: 1, bytes })).toMatchObject({ status: 200 });
  const parts = [{ partNumber: 1, sha256: sha256(bytes) }];
  await api.mustSend(202, "POST", `/v1/databases/transfers/${id}/complete`, { key, body: { parts } });
  const { client } = api.platform.database;
  const waiting = () => client`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { cancelled } = await client.begin(async (tx) => {
    // The worker has checked the archive, and waits to say so; the cancellation has the transfer's row.
    await tx`lock table database_transfers in share mode`;
    await startJobs(api);
    await expect.poll(waiting).toHaveLength(1);
    const cancelled = api.send("DELETE", `/v1/databases/transfers/${id}`, { key });
    await expect.poll(waiting, { interval: 20 }).toHaveLength(2);
    return { cancelled };
  });
  expect((await cancelled).body).toMatchObject({ ok: true, transfer: { status: "cancelled" } });
  const jobs = () => client`select from graphile_worker.jobs where key = ${`transfer/${id}`}`;
  await expect.poll(jobs).toHaveLength(0);
  const tables = "select count(*)::int from information_schema.tables where table_schema = 'public'";
  expect(await queryRows(api, key, tables)).toEqual([[0]]);
  expect(await importArchive(api, key, bytes)).toMatchObject({ status: "completed" });
});
