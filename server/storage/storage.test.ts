import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { caller, signInMember } from "#server/testing/console.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startRuns } from "#server/testing/runs.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { createStarter } from "#server/testing/workflows.ts";

const MB = 1_048_576;
const budgets = {
  filesBytes: 100_000,
  artifactsBytes: 1000,
  transfersBytes: 100_000,
  resultsBytes: 2 * MB,
  databaseBytes: 16 * MB,
  runsBytes: 16 * MB,
  eventsBytes: MB,
  memoriesBytes: 100_000,
  workflowsBytes: 100_000,
};
const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster], storage: budgets } });
const runs = await startRuns(api);
const worker = await startJobs(api);
afterAll(async () => {
  await runs.stop();
  await worker.stop();
  await tenants.drop();
});

const upload = (key: string, bytes: number) =>
  api.send("POST", "/v1/files", { key, bytes: randomBytes(bytes), headers: { "x-file-name": "a.bin" } });
const query = (key: string, text: string, extra: Record<string, unknown> = {}) =>
  api.send("POST", "/v1/databases/query", { key, body: { sql: text, ...extra }, idempotencyKey: null });
const act = (key: string, text: string) =>
  api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions: [{ type: "sql", sql: text }], timeoutMs: 60_000 },
  });

/** Returns the usage of each kind, as the console shows it. */
async function storageOf(accountId: string) {
  const { cookie } = await signInMember(api, accountId, "viewer");
  const { data } = await caller(api, cookie).query("storage.read");
  const used = data.storage.map(({ kind, usedBytes }: { kind: string; usedBytes: number }) => [
    kind,
    usedBytes,
  ]);
  return Object.fromEntries(used);
}

async function provisioned() {
  const root = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key: root.key, body: {} });
  return root;
}

test("publishes the budgets with the prices", async () => {
  const { body } = await api.send("GET", "/v1/pricing");
  expect(body.pricing.limits.storage).toEqual(budgets);
  expect(body.pricing.limits.databases.maximumBytes).toBe(16 * MB);
});

test("lets parallel uploads together fill the budget of files and never pass it", async () => {
  const { key, accountId } = await api.createRootKey();
  const answers = await Promise.all(Array.from({ length: 24 }, () => upload(key, 10_000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    ...Array.from({ length: 14 }, () => 403),
  ]);
  const refused = await upload(key, 10_000);
  expect(refused.body.error).toMatchObject({
    status: 403,
    code: "quota_exceeded",
    operationState: "not_started",
    retryable: false,
    message:
      "The account's files take 100000 of 100000 bytes; 10000 more have no room. Delete files that are not needed: DELETE /v1/files/{fileId}.",
  });
  expect(await storageOf(accountId)).toMatchObject({ files: 100_000 });
  const made = answers.find(({ status }) => status === 201)?.body.file;
  await api.send("DELETE", `/v1/files/${made.id}`, { key });
  expect(await storageOf(accountId)).toMatchObject({ files: 90_000 });
  expect((await upload(key, 10_001)).status).toBe(403);
  expect((await upload(key, 10_000)).status).toBe(201);
});

test("frees the reservation of a refused upload", async () => {
  const { key, accountId } = await api.createRootKey();
  const headers = { "x-file-name": "a.bin", "x-content-sha256": "0".repeat(64) };
  const wrong = await api.send("POST", "/v1/files", { key, bytes: Buffer.alloc(60_000), headers });
  expect(wrong.body.error.code).toBe("checksum_mismatch");
  expect(await storageOf(accountId)).toMatchObject({ files: 0 });
  expect((await upload(key, 100_000)).status).toBe(201);
});

test("holds the parts of transfers to their budget until the transfer ends", async () => {
  const { key, accountId } = await provisioned();
  const start = async () => {
    const body = { direction: "import" };
    return (await api.send("POST", "/v1/databases/transfers", { key, body })).body.transfer.id;
  };
  const [first, second] = [await start(), await start()];
  const send = (transfer: string, part: number) =>
    api.send("PUT", `/v1/databases/transfers/${transfer}/parts/${part}`, {
      key,
      bytes: Buffer.alloc(60_000),
      headers: { "content-type": "application/zip" },
    });
  expect((await send(first, 1)).status).toBe(200);
  const refused = await send(second, 1);
  expect(refused.body.error).toMatchObject({ code: "quota_exceeded", operationState: "not_started" });
  expect(refused.body.error.message).toContain("transfers take 60000 of 100000 bytes; 60000 more");
  await api.send("DELETE", `/v1/databases/transfers/${first}`, { key });
  await sweepBlobs(api.platform.database.db, api.platform.blobs);
  expect(await storageOf(accountId)).toMatchObject({ transfers: 0 });
  expect((await send(second, 1)).status).toBe(200);
});

test("fails an export whose archive has no room, and keeps nothing of it", async () => {
  const { key, accountId } = await provisioned();
  await act(key, "create table noise as select gen_random_uuid() id from generate_series(1, 20000)");
  const made = await api.send("POST", "/v1/databases/transfers", { key, body: { direction: "export" } });
  const read = async () =>
    (await api.send("GET", `/v1/databases/transfers/${made.body.transfer.id}`, { key })).body.transfer;
  await expect.poll(async () => (await read()).status).toBe("failed");
  expect((await read()).error).toMatchObject({ code: "quota_exceeded" });
  expect(await storageOf(accountId)).toMatchObject({ transfers: 0 });
});

test("bounds the results that are kept for cursors, and reads on in those that are", async () => {
  const { key, accountId } = await provisioned();
  const body = "select n, md5(n::text) || md5((n + 1)::text) from generate_series(1, 15000) n";
  const kept = await query(key, body, { maxRows: 1 });
  expect(kept.body).toMatchObject({ truncated: true });
  expect((await storageOf(accountId)).results).toBeGreaterThan(MB);
  const refused = await query(key, body, { maxRows: 1 });
  expect(refused.body.error).toMatchObject({ status: 403, code: "quota_exceeded" });
  expect(refused.body.error.message).toContain("A result is kept for 15 minutes");
  const cursor = kept.body.nextCursor;
  expect((await query(key, body, { cursor, maxRows: 10_000 })).body.rowCount).toBe(10_000);
  expect((await query(key, "select 1")).status).toBe(200);
});

test("fails a run that would leave an artifact over the budget", async () => {
  const { fail, run } = await createStarter(api);
  const artifact = (content: string) => ({
    id: "file",
    type: "artifact",
    name: "a.txt",
    mediaType: "text/plain",
    content,
  });
  await run([artifact("x".repeat(600))]);
  const failed = await fail([artifact("x".repeat(600))]);
  expect(failed.error).toMatchObject({ code: "quota_exceeded", step: "steps.file" });
  expect(failed.error.message).toContain("artifacts take 600 of 1000 bytes; 600 more");
});

test("refuses writes to a full database, says so, and lets it be made smaller", async () => {
  const { key, accountId } = await provisioned();
  const full = await act(
    key,
    "create table pages as select repeat(md5(n::text), 60) from generate_series(1, 9000) n",
  );
  expect(full.body.error).toMatchObject({
    status: 403,
    code: "quota_exceeded",
    operationState: "not_started",
  });
  expect(full.body.error.message).toContain(`of ${16 * MB} bytes`);
  expect((await act(key, "create table few (n int)")).status).toBe(200);
  const { database } = await storageOf(accountId);
  expect(database).toBeGreaterThan(MB);
  expect(database).toBeLessThan(16 * MB);
});

test("frees the reservation of a writer that is gone", async () => {
  const { key, accountId } = await api.createRootKey();
  const sent = request(`${api.origin}/v1/files`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": unique("leaving"),
      "x-file-name": "a.bin",
      "content-length": "90000",
    },
  });
  sent.on("error", () => undefined);
  sent.write(Buffer.alloc(40_000));
  await expect.poll(async () => (await storageOf(accountId)).files).toBe(90_000);
  expect((await upload(key, 20_000)).status).toBe(403);
  sent.destroy();
  await expect.poll(async () => (await storageOf(accountId)).files).toBe(0);
  expect((await upload(key, 20_000)).status).toBe(201);
});
