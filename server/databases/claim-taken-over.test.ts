import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { freezeAtTable } from "#server/testing/frozen-process.ts";
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
  const server = await startServer(cluster.url, "", tenants.url("postgres"));
  const { origin } = server;
  const idempotencyKey = unique("frozen");
  const mark = (from: string) => apply(from, idempotencyKey, "insert into marks values ('once')");

  // It has claimed its key, and is suspended while it looks for the commit of an earlier attempt.
  const { first } = await freezeAtTable(
    client,
    server,
    { table: "database_commits", mode: "access exclusive" },
    () => mark(origin),
  );
  const second = await mark(api.origin);
  expect(second).toMatchObject({ status: 200 });
  server.child.kill("SIGCONT");
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
