import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { provisionDatabase, queryRows, runActions } from "#server/testing/transfers.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const tenants = await startTenantCluster();
afterAll(() => tenants.drop());
const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /^delete from "database_commits"/);
const api = await startApi({
  database: { ...database, url: lossy.url },
  settings: { tenantClusters: [tenants.cluster] },
});

test("reports an unknown outcome of actions that are applied when the platform's database fails; a repeat returns it", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table marks (call text)"]);
  const actions = [{ type: "sql", sql: "insert into marks values ('one')" }];
  const idempotencyKey = unique("lost");
  const call = () => api.send("POST", "/v1/databases/actions", { key, idempotencyKey, body: { actions } });
  lossy.lose();
  const { status, body } = await call();
  expect([status, body.error.code, body.error.operationState]).toEqual([
    503,
    "service_unavailable",
    "unknown",
  ]);
  expect((await untilAnswered(call)).status).toBe(200);
  expect(await queryRows(api, key, "select call from marks")).toEqual([["one"]]);
});
