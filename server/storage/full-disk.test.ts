import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { smallDisk } from "#server/testing/small-disk.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const MB = 1_048_576;

test("outlives a full disk of the blob store: nothing is half stored, and all is well once there is room", async () => {
  const disk = smallDisk(16 * MB);
  const tenants = await startTenantCluster();
  onTestFinished(() => tenants.drop());
  const api = await startApi({
    settings: { blobs: { folder: disk.folder }, tenantClusters: [tenants.cluster] },
  });
  const { key } = await api.createRootKey();
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  const bytes = randomBytes(MB);
  const upload = () =>
    api.send("POST", "/v1/files", {
      key,
      bytes,
      headers: { "x-file-name": "large.bin" },
      idempotencyKey: "full-disk-again",
    });
  const spool = () =>
    api.send("POST", "/v1/databases/query", {
      key,
      idempotencyKey: null,
      body: { sql: "select md5(n::text) from generate_series(1, 20000) n", maxRows: 1 },
    });
  const earlier = await api.send("POST", "/v1/files", {
    key,
    bytes,
    headers: { "x-file-name": "earlier.bin" },
  });
  const stored = () =>
    readdirSync(disk.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  expect([earlier.status, stored()]).toEqual([201, 1]);

  disk.fill();
  for (const send of [upload, spool, upload])
    expect((await send()).body.error).toMatchObject({
      status: 503,
      code: "service_unavailable",
      operationState: "not_started",
      message: "The platform's blob store (the folder blobs in DATA_DIR) has no room left on its disk.",
    });
  expect(stored()).toBe(1);
  const message = "The platform's blob store (the folder blobs in DATA_DIR) has no room left on its disk.";
  await expect
    .poll(async () => (await api.send("GET", "/health")).body)
    .toMatchObject({
      status: "degraded",
      checks: [
        { name: "database", ok: true },
        { name: "blobs", ok: false, message },
        { name: "databases", ok: true },
      ],
    });
  const headers = { accept: "application/octet-stream" };
  const read = await api.send("GET", `/v1/files/${earlier.body.file.id}`, { key, headers });
  expect(read.body.equals(bytes)).toBe(true);

  disk.free();
  expect((await upload()).status).toBe(201);
  expect((await spool()).body).toMatchObject({ ok: true, truncated: true });
  expect(stored()).toBe(3);
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
});
