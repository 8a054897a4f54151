import { expect, test } from "vitest";
import { decide } from "#server/testing/approvals.ts";
import {
  deprovisionDatabase,
  downloadArchive,
  endOfTransfer,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  startWithDatabases,
} from "#server/testing/transfers.ts";

const api = await startWithDatabases();

test("deprovisions with an approval, keeps a last export, and can restore it", async () => {
  const key = await provisionDatabase(api);
  await runActions(api, key, ["create table kept as select 'important' as word"]);
  const remove = (query = "") => api.send("DELETE", `/v1/databases/account${query}`, { key });
  expect((await remove()).body.error).toMatchObject({ status: 403, code: "approval_required" });
  const asked = await api.send("POST", "/v1/approvals/service-actions", {
    key,
    body: { serviceId: "managed-database", operationId: "deprovision", input: {} },
  });
  expect(asked.status).toBe(201);
  await decide(api, key, asked.body.approval);
  const removed = await remove(`?approvalId=${asked.body.approval.id}`);
  expect(removed.body).toMatchObject({ ok: true, database: { status: "deprovisioning" } });
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status, { interval: 100 }).toBe("absent");
  const bytes = await downloadArchive(api, key, removed.body.finalTransferId);
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  expect(await importArchive(api, key, bytes)).toMatchObject({ status: "completed" });
  expect(await queryRows(api, key, "select word from kept")).toEqual([["important"]]);
  await runActions(api, key, ["drop table kept"]);
  expect((await remove(`?approvalId=${asked.body.approval.id}`)).body.error).toMatchObject({
    status: 400,
    issues: [{ path: "query.approvalId" }],
  });
  expect((await remove()).body).toMatchObject({ finalTransferId: null });
  await expect.poll(status, { interval: 100 }).toBe("absent");
});

test.each([
  "create function double(n int) returns int language sql return n * 2",
  "create type mood as enum ('sad', 'happy')",
  "create sequence numbers",
  "create view ones as select 1 as one",
])("takes a database that holds something but tables for one that is not empty: %s", async (sql) => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [sql]);
  const imports = await api.send("POST", "/v1/databases/transfers", { key, body: { direction: "import" } });
  expect(imports.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  const refused = await api.send("DELETE", "/v1/databases/account", { key });
  expect(refused.body.error).toMatchObject({ status: 403, code: "approval_required" });
  expect((await api.send("GET", "/v1/databases/account", { key })).body.database.status).toBe("ready");
});

test.each([
  "repeat('x', 300000000)",
  // Six times as long as JSON.
  "repeat(chr(1), 90000000)",
])("keeps a database whose last export fails because of %s, and says why", async (word) => {
  const key = await provisionDatabase(api);
  await runActions(api, key, [`create table huge as select ${word} as word`]);
  expect(await endOfTransfer(api, key, await deprovisionDatabase(api, key))).toMatchObject({
    status: "failed",
    error: { code: "query_limit_exceeded" },
  });
  expect(await queryRows(api, key, "select count(*)::int from huge")).toEqual([[1]]);
});
