import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { Secrets } from "#server/env/secrets.ts";
import { openBlobStore } from "#server/providers/blobs/open-blob-store.ts";
import { startApi } from "#server/testing/api.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { movePendingEvents } from "#server/testing/past-audit.ts";
import { processPath } from "#server/testing/program-path.ts";
import { startS3 } from "#server/testing/s3.ts";
import { exportAudit } from "../export-audit.ts";
import { verifyExport } from "../verify-export.ts";
import { moveOldMonths } from "./move-old-months.ts";

const SIGNING_KEY = Buffer.alloc(32, 7).toString("base64");
const key = Secrets.shape.AUDIT_SIGNING_KEY.parse(SIGNING_KEY);

/** Starts an installation with two accounts. */
async function startInstallation() {
  const folder = mkdtempSync(join(tmpdir(), "moved-audit-"));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  const api = await startApi({ database, settings: { blobs: { folder }, auditSigningKey: key } });
  const accounts = [await api.createRootKey({ label: "a" }), await api.createRootKey({ label: "b" })];
  /** Gives each account events that are this many days old. */
  async function age(days: number) {
    for (const { key } of accounts)
      for (let call = 0; call < 3; call++)
        expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
    const ids = accounts.map(({ accountId }) => accountId);
    await movePendingEvents(api, ids, days);
  }
  const { client } = api.platform.database;
  const months = async () =>
    (
      await client`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_chain'::regclass order by 1`
    ).map(({ name }) => name);
  async function whole() {
    for (const { accountId } of accounts) {
      const texts: string[] = [];
      const sources = { blobs: api.platform.blobs };
      const request = { accountId, from: null, to: null };
      for await (const line of exportAudit(api.platform.database, key, request, sources))
        texts.push(JSON.stringify(line));
      expect(await verifyExport(texts)).toMatchObject({ first: 1 });
    }
  }
  /** Moves old months in another process, which may kill itself. */
  function move(kill?: string) {
    const script = processPath("archive-audit");
    const args = [script, database.url, folder, SIGNING_KEY, ...(kill ? [`--kill=${kill}`] : [])];
    return new Promise<{ stdout: string; signal: string | null }>((done) => {
      const child = execFile(process.execPath, args, (_, stdout) =>
        done({ stdout, signal: child.signalCode }),
      );
    });
  }
  const list = async (key: string) =>
    (await api.send("GET", "/v1/audit-events?operation=projects.list&limit=100", { key })).body;
  return { api, age, accounts, months, whole, move, list, folder };
}

const installation = await startInstallation();
const { api, age, accounts, months, whole, move, list, folder } = installation;
const blobFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test("loses nothing and leaves nothing half when it is killed between any two steps", async () => {
  await age(70);
  const before = await months();
  const events = await list(accounts[0]?.key ?? "");
  expect(events.auditEvents).toHaveLength(3);
  for (const moment of ["read", "kept", "put"]) {
    expect(await move(moment), moment).toMatchObject({ stdout: "", signal: "SIGKILL" });
    expect(await months(), moment).toEqual(before);
    expect(
      (await list(accounts[0]?.key ?? "")).auditEvents.map(({ id }: { id: string }) => id),
      moment,
    ).toEqual(events.auditEvents.map(({ id }: { id: string }) => id));
    await whole();
  }
});

test("drops nothing while a bucket hangs, refuses uploads or loses them", async () => {
  const s3 = await startS3();
  const { db } = api.platform.database;
  const before = await months();
  const archiving = { db, blobs: openBlobStore(s3.settings), key };
  for (const state of ["silent", "failing", "losing"] as const) {
    s3.state[state] = true;
    expect(await moveOldMonths(archiving, 1), state).toEqual([]);
    s3.state[state] = false;
    expect(await months(), state).toEqual(before);
    await whole();
  }
});

test("moves each part once though several processes do it at once, and drops the month after the last", async () => {
  const runs = await Promise.all([move(), move(), move()]);
  const dropped = runs.flatMap(({ stdout }) => JSON.parse(stdout));
  expect(new Set(dropped).size).toBe(dropped.length);
  await expect.poll(async () => (await months()).filter((name) => dropped.includes(name))).toEqual([]);
  const { client } = api.platform.database;
  expect(
    await client`select account_id, count(*)::int as events from audit_chain where id < uuid_floor(now() - interval '60 days') group by 1`,
  ).toEqual([]);
  for (const { accountId } of accounts) {
    const rows =
      await client`select first_sequence::int as first, last_sequence::int as last, blob_key as key from audit_archives
      where account_id = ${uuidOf("account", accountId)} order by 1`;
    let next = 1;
    for (const { first, last, key } of rows) {
      expect(first).toBe(next);
      next = last + 1;
      const content = await new Response(await api.platform.blobs.read(key)).bytes();
      const lines = gunzipSync(content).toString().trimEnd().split("\n");
      expect(await verifyExport(lines)).toMatchObject({ accountId, first, last });
    }
    expect(next).toBeGreaterThan(3);
  }
  await whole();
  expect(blobFiles().length).toBeGreaterThan(0);
});

test("does not drop a month in which a chain was changed", async () => {
  await age(110);
  const { client, db } = api.platform.database;
  const before = await months();
  await client`update audit_chain set status = 403 where account_id = ${uuidOf("account", accounts[0]?.accountId ?? "")} and at < now() - interval '100 days'`;
  expect(await moveOldMonths({ db, blobs: api.platform.blobs, key }, 1)).toEqual([]);
  expect(await months()).toEqual(before);
});
