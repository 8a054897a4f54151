import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const cluster = await startTestCluster();
const tenants = await startTenantCluster();
const api = await startApi({ database: cluster, settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

test("applies actions once though another process makes the call while its own is frozen", async () => {
  const { client } = api.platform.database;
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  const apply = (origin: string, idempotencyKey: string, sql: string) =>
    fetch(`${origin}/v1/databases/actions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "content-type": "application/json",
      },
      body: JSON.stringify({ actions: [{ type: "sql", sql }] }),
    }).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
  await apply(api.origin, unique("create"), "create table marks (call text)");
  const { origin, name, child } = await startServer(cluster.url, "", tenants.url("postgres"));
  const idempotencyKey = unique("frozen");
  const mark = (from: string) => apply(from, idempotencyKey, "insert into marks values ('once')");

  // It has claimed its key, and is frozen as it looks for what an earlier attempt has committed.
  let first: ReturnType<typeof mark> | undefined;
  await client.begin(async (tx) => {
    await tx`lock table database_commits in access exclusive mode`;
    first = mark(origin);
    const waiting = () =>
      client`select from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    child.kill("SIGSTOP");
  });
  await client`
    select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${name}`;
  const second = await mark(api.origin);
  expect(second).toMatchObject({ status: 200 });
  child.kill("SIGCONT");
  await first;
  expect(await mark(origin)).toEqual(second);
  const { body } = await api.send("POST", "/v1/databases/query", {
    key,
    idempotencyKey: null,
    body: { sql: "select call from marks" },
  });
  expect(body.rows).toEqual([["once"]]);
  expect(await client`select from database_commits`).toHaveLength(0);
});
