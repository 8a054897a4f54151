import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTakeoverClock } from "#server/testing/takeover-clock.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase } from "#server/testing/transfers.ts";

// 20 connections are the administrator's.
const tenants = await startTenantCluster({ maxConnections: 32 });
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(() => tenants.drop());

async function provision() {
  const { key } = await api.createRootKey();
  return api.send("POST", "/v1/databases/account", { key, body: {} });
}

test("provisions a database while statements of other accounts have every connection that tenants may have", async () => {
  const hostile = await Promise.all(Array.from({ length: 13 }, () => provisionDatabase(api)));
  const statuses: number[] = [];
  const attacks = hostile.map((key) =>
    api
      .send("POST", "/v1/databases/query", {
        key,
        idempotencyKey: null,
        body: { sql: "select pg_sleep(55)", timeoutMs: 60_000 },
      })
      .then(({ status }) => statuses.push(status)),
  );
  await expect.poll(() => statuses[0]).toBe(503);
  const clock = await startTakeoverClock(api.databaseUrl);
  const begun = clock();
  const { body } = await provision();
  expect(body).toMatchObject({ ok: true, database: { status: "ready", tables: [] } });
  expect(body.database.sizeBytes).toBeGreaterThan(1_000_000);
  expect(clock() - begun).toBeLessThan(5000);
  // All that were not refused are still under way.
  expect(new Set(statuses)).toEqual(new Set([503]));
  await api.platform.tenants.admin("embedded")`
    select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(55)%'`;
  await Promise.all(attacks);
});

test("answers 503 while a table that provisioning needs is locked, and provisions with the repeat", async () => {
  const { key } = await api.createRootKey();
  const operator = postgres(tenants.url("postgres"), { max: 1 });
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const locking = operator.begin(async (sql) => {
    await sql`lock table pg_authid in share mode`;
    isLocked();
    await unlocked;
  });
  await locked;
  const send = () =>
    api.send("POST", "/v1/databases/account", { key, body: {}, idempotencyKey: "provision-while-locked" });
  const { status, body } = await send();
  expect(status).toBe(503);
  expect(body.error).toMatchObject({
    code: "service_unavailable",
    operationState: "not_started",
    message: expect.stringContaining("(MANAGED_DATABASE_URLS) is busy"),
  });
  unlock();
  await locking;
  await operator.end();
  expect((await send()).body).toMatchObject({ ok: true, database: { status: "ready" } });
});
