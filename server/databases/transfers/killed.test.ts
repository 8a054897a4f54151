import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { startNetwork } from "#server/testing/network.ts";
import { startServer } from "#server/testing/server-process.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  deprovisionDatabase,
  provisionDatabase,
  queryRows,
  runActions,
  startTransfer,
} from "#server/testing/transfers.ts";

const ROWS = 24_000;
const folder = mkdtempSync(join(tmpdir(), "test-transfers-"));
const platform = await startTestCluster();
const tenants = await startTenantCluster();
const network = await startNetwork(() => tenants.url("postgres"));
const settings = { tenantClusters: [tenants.cluster], blobs: { folder } };
const api = await startApi({ database: platform, settings });
afterAll(async () => {
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
});

const startWorking = () => startServer(platform.url, folder, network.url(), "--jobs");

/** Creates an account whose database has a table with so many rows; returns its key. */
async function provisionRows(count: number) {
  const key = await provisionDatabase(api);
  const sql = `create table rows as select n, md5(n::text) as word, repeat('x', 200) as pad from generate_series(1, ${count}) n`;
  await runActions(api, key, [sql]);
  return key;
}

const statusOf = async (key: string, id: string) =>
  (await api.send("GET", `/v1/databases/transfers/${id}`, { key })).body.transfer.status;

/** Kills a worker once `reached` is so, and starts another one. */
async function killAt({ child }: Awaited<ReturnType<typeof startWorking>>, reached: () => Promise<unknown>) {
  await reached();
  child.kill("SIGKILL");
  await once(child, "exit");
  network.restore();
  return startWorking();
}

/** Holds the next statement that copies rows of a large table after a part of them, and resolves then. */
const copying = () => network.cutWithin(/select "n"|copy public/i, 1_000_000);

test("builds an export and applies an import once, whole, when the worker is killed in the middle of each", async () => {
  const key = await provisionRows(ROWS);
  const midway = copying();
  const exported = await startTransfer(api, key, { direction: "export" });
  const second = await killAt(await startWorking(), () => midway);
  await expect.poll(() => statusOf(key, exported)).toBe("ready");
  const archive = await fetch(`${api.origin}/v1/databases/transfers/${exported}/archive`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const bytes = Buffer.from(await archive.arrayBuffer());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(archive.headers.get("x-content-sha256")).toBe(sha256);

  const other = await provisionDatabase(api);
  const imported = await startTransfer(api, other, { direction: "import" });
  const part = await fetch(`${api.origin}/v1/databases/transfers/${imported}/parts/1`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${other}`,
      "idempotency-key": unique("part"),
      "content-type": "application/zip",
    },
    body: bytes,
  });
  expect(part.status).toBe(200);
  const inTheMiddle = copying();
  await api.send("POST", `/v1/databases/transfers/${imported}/complete`, {
    key: other,
    body: { parts: [{ partNumber: 1, sha256 }] },
  });
  await killAt(second, () => inTheMiddle);
  await expect.poll(() => statusOf(other, imported)).toBe("completed");
  const counted = await queryRows(api, other, "select count(*)::int, count(distinct n)::int from rows");
  expect(counted).toEqual([[ROWS, ROWS]]);
});

test("tries a last archive again when the worker is killed meanwhile, and leaves no scratch database", async () => {
  const key = await provisionRows(ROWS);
  const finalTransferId = await deprovisionDatabase(api, key);
  const left = () => api.platform.tenants.admin("embedded")`
    select datname from pg_database where datname like 'scratch%' union all select rolname from pg_roles where rolname like 'scratch%'`;
  const trial = network.cutWithin(/copy public/i, 1_000_000);
  await killAt(await startWorking(), () => trial);
  expect(await left()).toHaveLength(2);
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status).toBe("absent");
  expect(await statusOf(key, finalTransferId)).toBe("ready");
  expect(await left()).toEqual([]);
});

test("removes a database though the worker is killed as soon as its last archive is ready", async () => {
  const key = await provisionRows(1000);
  const finalTransferId = await deprovisionDatabase(api, key);
  await killAt(await startWorking(), () =>
    expect.poll(() => statusOf(key, finalTransferId), { interval: 5 }).toBe("ready"),
  );
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status, { interval: 100 }).toBe("absent");
  expect(await statusOf(key, finalTransferId)).toBe("ready");
});

test("removes a database though its last archive is deleted before", async () => {
  const key = await provisionRows(1000);
  const finalTransferId = await deprovisionDatabase(api, key);
  const removing = network.cutWithin(/drop database if exists "?(?!scratch|template)/i, 0);
  const worker = await startWorking();
  await removing;
  const path = `/v1/databases/transfers/${finalTransferId}`;
  expect((await api.send("DELETE", path, { key })).body.transfer.status).toBe("cancelled");
  await killAt(worker, async () => undefined);
  const status = async () => (await api.send("GET", "/v1/databases/account", { key })).body.database.status;
  await expect.poll(status, { interval: 100 }).toBe("absent");
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
});

test("builds an export though the cluster was away for longer than all its attempts", {
  timeout: 900_000,
}, async () => {
  const key = await provisionRows(1000);
  const { child } = await startWorking();
  onTestFinished(() => void child.kill("SIGKILL"));
  network.cut();
  const exported = await startTransfer(api, key, { direction: "export" });
  const job = async () => {
    const [found] = await api.platform.database.client`
      select id from graphile_worker.jobs where key = ${`transfer/${exported}`}`;
    return found?.id as string;
  };
  const first = await job();
  // Another one follows the last attempt.
  await expect.poll(job, { timeout: 240_000 }).not.toBe(first);
  network.restore();
  await expect.poll(() => statusOf(key, exported)).toBe("ready");
});

test("ends a last export whose every attempt was killed, gives its room back, and keeps the database", {
  timeout: 900_000,
}, async () => {
  const key = await provisionRows(ROWS);
  const finalTransferId = await deprovisionDatabase(api, key);
  const { client } = api.platform.database;
  const exporting = async () => {
    const [job] = await client`
      select attempts from graphile_worker.jobs where key = ${`transfer/${finalTransferId}`} and locked_at is not null`;
    return job?.attempts as number | undefined;
  };
  const transferId = uuidOf("transfer", finalTransferId);
  const reserved = async () => {
    const [usage] = await client`
      select used_bytes::int as used from storage_usage join database_transfers using (account_id)
      where kind = 'transfers' and database_transfers.id = ${transferId}`;
    return usage?.used ?? 0;
  };
  let midway = copying();
  let worker = await startWorking();
  for (let attempt = 1; attempt <= 5; attempt++)
    worker = await killAt(worker, async () => {
      await midway;
      // The worker may not have read the delivered bytes yet.
      await expect.poll(reserved).toBeGreaterThan(0);
      expect(await exporting()).toBe(attempt);
      midway = copying();
    });
  await expect.poll(() => statusOf(key, finalTransferId), { timeout: 150_000, interval: 200 }).toBe("failed");
  const { transfer } = (await api.send("GET", `/v1/databases/transfers/${finalTransferId}`, { key })).body;
  expect(transfer).toMatchObject({
    archive: null,
    error: {
      code: "internal",
      message: "The platform was stopped in each attempt at it. Start the transfer again.",
    },
  });
  const reservedAfterSweep = async () => {
    await sweepBlobs(api.platform.database.db, api.platform.blobs);
    return reserved();
  };
  await expect.poll(reservedAfterSweep, { timeout: 180_000, interval: 500 }).toBe(0);
  expect(await queryRows(api, key, "select count(*)::int from rows")).toEqual([[ROWS]]);
  expect(await deprovisionDatabase(api, key)).not.toBe(finalTransferId);
});
