import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { moveOldMonths } from "#server/audit/archive/move-old-months.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { clientOf, startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { movePendingEvents } from "#server/testing/past-audit.ts";
import { commandPath } from "#server/testing/program-path.ts";
import { startServer } from "#server/testing/server-process.ts";
import { canMount, smallDisk } from "#server/testing/small-disk.ts";
import { createWallet, PLAIN, send, startSending, transactionWith } from "#server/testing/transactions.ts";
import { queryRows, runActions } from "#server/testing/transfers.ts";
import { startDepositWatcher } from "#server/wallets/deposits/deposit-watcher.ts";
import { filesOf, keepMirroring } from "../backup/mirror-files.ts";
import { repositoryAt } from "../backup/repository.ts";
import { startCluster } from "../engines/embedded-clusters.ts";
import { migrate } from "../migrate.ts";
import { embeddedCluster } from "../tenant-clusters.ts";

type DropAll = { Method: "anvil_dropAllTransactions"; Parameters: []; ReturnType: null };

const folder = mkdtempSync(join(tmpdir(), "backup-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [dataDir, backupDir] = [join(folder, "data"), join(folder, "it's 100% kept")];
const blobs = { folder: join(dataDir, "blobs") };
const platform = await startCluster("platform", { dataDir, backupDir });
const tenants = await startCluster("tenants", { dataDir, backupDir });
await migrate(platform.url());
const chain = await startTestChain();
async function drop() {
  await tenants.stop();
  await platform.stop();
}
const api = await startApi({
  database: { url: platform.url(), drop },
  settings: { blobs, chains: [chain.settings], tenantClusters: [embeddedCluster(tenants.url())] },
});

/** Runs `npm run backup` or another command, without npm, beside the running platform. */
function run(
  script: "backup" | "restore" | "audit-export",
  args: string[] = [],
  changed: Record<string, string> = {},
) {
  const BACKUP_PASSPHRASE = "correct horse battery";
  const settings = { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_PASSPHRASE, ...changed };
  const env = { ...process.env, DATABASE_URL: "", BASE_URL: "", ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [commandPath(script), ...args], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const refused = (message: string | RegExp) => ({ code: 1, stderr: expect.stringMatching(message) });

/** Archives the log of both clusters up to now, as happens each minute. */
async function keepLog() {
  for (const [name, { url }] of Object.entries({ platform, tenants })) {
    const sql = postgres(url(), { max: 1 });
    // A file with nothing in it is neither ended nor archived.
    await sql`select pg_logical_emit_message(false, 'test', 'kept')`;
    const [row] = await sql`select pg_walfile_name(pg_switch_wal()) as file`;
    await sql.end();
    const kept = () => readdirSync(join(backupDir, "log", name));
    await expect.poll(kept).toContain(`${row?.file}.gz`);
  }
}

/** Starts the platform on a restored folder; returns a client of it. */
async function startRestored(to: string) {
  const own = { dataDir: to, backupDir: undefined };
  const [database, databases] = [await startCluster("platform", own), await startCluster("tenants", own)];
  onCleanup(async () => {
    await databases.stop();
    await database.stop();
  });
  const settings = JSON.stringify(chain.settings);
  const options = ["--sends", "--deposits", "--stuck-after-ms", "200", "--chain", settings];
  const { origin } = await startServer(database.url(), join(to, "blobs"), databases.url(), ...options);
  return { ...api, ...clientOf(origin) };
}

const archiving = {
  db: api.platform.database.db,
  blobs: api.platform.blobs,
  key: api.platform.settings.auditSigningKey,
};

/** Creates an account with audit events of two past months, the older of which is in the blob store. */
async function createAudited() {
  const account = await api.createRootKey();
  const call = async () => {
    for (let nth = 0; nth < 3; nth++) await api.mustSend(200, "GET", "/v1/projects", { key: account.key });
  };
  await call();
  await movePendingEvents(api, [account.accountId], 110);
  expect(await moveOldMonths(archiving, 1)).toHaveLength(1);
  await call();
  await movePendingEvents(api, [account.accountId], 70);
  await call();
  return account;
}

/** Lists the events of an audited account, page by page. */
async function eventsOf({ mustSend }: Pick<typeof api, "mustSend">, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = `operation=projects.list&limit=2${cursor && `&cursor=${cursor}`}`;
    const { auditEvents, nextCursor } = await mustSend(200, "GET", `/v1/audit-events?${query}`, { key });
    ids.push(...auditEvents.map(({ id }: { id: string }) => id));
    cursor = nextCursor;
  }
  return ids;
}

const upload = async (key: string, text: string) => {
  const headers = { "x-file-name": unique("file") };
  const { file } = await api.mustSend(201, "POST", "/v1/files", { key, bytes: Buffer.from(text), headers });
  return file.id;
};

test("restores the commits up to a point in time, with databases, files and audit", async () => {
  const audited = await createAudited();
  const { key } = await createPayingKey(api, 1000);
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
  await runActions(api, key, ["create table notes (text text)", "insert into notes values ('before')"]);
  const answered: string[] = [];
  const create = async () => {
    const name = unique("written");
    await api.mustSend(201, "POST", "/v1/projects", { key, body: { name } });
    answered.push(name);
  };
  const kept = await upload(key, "kept");
  let writing = true;
  const writer = (async () => {
    while (writing) await Promise.all([create(), sleep(100)]);
  })();
  const made = await run("backup", ["--keep", "2"]).finally(() => {
    writing = false;
  });
  await writer;
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(/: \d+ MB, complete at \S+Z\.\n0 older backups were removed\.\n$/);

  await create();
  const late = await upload(key, "late");
  await runActions(api, key, ["insert into notes values ('after')"]);
  await sleep(20);
  const at = new Date().toISOString();
  await sleep(20);
  const before = [...answered];
  const events = await eventsOf(api, audited.key);
  expect(events).toHaveLength(9);
  // The restored database has this month, and its copy in the blob store, too.
  expect(await moveOldMonths(archiving, 1)).toHaveLength(1);
  expect(await eventsOf(api, audited.key)).toEqual(events);
  await create();
  await runActions(api, key, ["drop table notes"]);
  await keepLog();
  await keepMirroring(filesOf({ dataDir, blobs }), repositoryAt(backupDir))();

  const to = join(folder, "restored");
  const restored = await run("restore", ["--to", to, "--at", at]);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toMatch(/ 3 files, \d+ ledger transactions, \d+ audit events of \d+ accounts\.\n/);
  expect(restored.stdout).toContain("The ledger sums to zero, and every audit chain is intact.\n");
  expect(readFileSync(join(to, "secrets.json"), "utf8")).toBe(
    readFileSync(join(dataDir, "secrets.json"), "utf8"),
  );
  const again = await startRestored(to);
  expect(await eventsOf(again, audited.key)).toEqual(events);
  const exported = await run("audit-export", ["--account", audited.accountId], { DATA_DIR: to });
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  const lines = exported.stdout.trimEnd().split("\n");
  const verified = await verifyExport(lines);
  expect(verified).toMatchObject({ accountId: audited.accountId, first: 1, last: verified.events });
  for (const id of events) expect(exported.stdout.split(`"${id}"`)).toHaveLength(2);
  const names = [];
  for (let cursor = ""; ; ) {
    const page = (await again.send("GET", `/v1/projects?limit=100${cursor}`, { key })).body;
    names.push(...page.projects.map(({ name }: { name: string }) => name));
    if (!page.nextCursor) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(names.sort()).toEqual(before.sort());
  const headers = { accept: "application/octet-stream" };
  const contentOf = async (id: string) =>
    String((await again.send("GET", `/v1/files/${id}`, { key, headers })).body);
  expect([await contentOf(kept), await contentOf(late)]).toEqual(["kept", "late"]);
  expect(await queryRows(again, key, "select text from notes order by 1")).toEqual([["after"], ["before"]]);
  await runActions(again, key, ["insert into notes values ('again')"]);
});

test("restores everything beside chains that are ahead: sends nothing again that they have, and finds deposits once", async () => {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const path = `/v1/wallets/${wallet.id}/transactions`;
  const depositsOf = async ({ mustSend }: Pick<typeof api, "mustSend">) =>
    (await mustSend(200, "GET", path, { key })).transactions.filter(
      ({ direction }: { direction: string }) => direction === "in",
    );
  const watcher = startDepositWatcher(platform.url());
  await expect.poll(() => api.platform.database.client`select from chain_heads`).toHaveLength(1);
  await chain.fund(wallet.address, { usd: "5" });
  await expect.poll(() => depositsOf(api)).toHaveLength(1);
  await watcher.stop();
  // Two of them are sent after the restored time, one with higher fees than at first; the third is unknown.
  await chain.client.setAutomine(false);
  const stuck = await send(api, key, wallet.id, { ...PLAIN, amount: "0.01" });
  const first = await startSending(api, { stuckAfterMs: 1_000_000 });
  await transactionWith(api, key, stuck, "broadcast");
  await first.stop();
  await chain.client.request<DropAll>({ method: "anvil_dropAllTransactions", params: [] });
  await chain.client.setAutomine(true);
  const waiting = await send(api, key, wallet.id, { ...PLAIN, amount: "0.02" });
  await keepLog();
  const kept = join(folder, "kept");
  execFileSync("cp", ["-a", backupDir, kept]);

  const second = await startSending(api, { stuckAfterMs: 300, resendAfterMs: 1_000_000 });
  await transactionWith(api, key, waiting, "confirmed");
  const unknown = await send(api, key, wallet.id, { ...PLAIN, amount: "0.03" });
  await transactionWith(api, key, unknown, "confirmed");
  expect((await transactionWith(api, key, stuck, "confirmed")).attempts).toBe(2);
  await second.stop();
  await chain.fund(wallet.address, { usd: "7" });
  await chain.mine(5);
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(3);

  const to = join(folder, "restored-whole");
  expect(await run("restore", ["--from", kept, "--to", to])).toMatchObject({ code: 0, stderr: "" });
  const again = await startRestored(to);
  await transactionWith(again, key, waiting, "confirmed");
  await transactionWith(again, key, stuck, "confirmed");
  const next = await send(again, key, wallet.id);
  expect(next).toMatchObject({ amount: "0.01" });
  expect(await transactionWith(again, key, next, "confirmed")).toMatchObject({ nonce: 3 });
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(4);
  await chain.mine(5);
  const isFinal = ({ finalizedAt }: { finalizedAt: string | null }) => finalizedAt !== null;
  await expect.poll(async () => (await depositsOf(again)).filter(isFinal)).toHaveLength(2);
  const amounts = (await depositsOf(again)).map(({ amount }: { amount: string }) => amount);
  expect(amounts.sort()).toEqual(["5", "7"]);
});

test("reports the faults that prevent a backup or a restore", async () => {
  const into = join(folder, "another");
  mkdirSync(into);
  writeFileSync(join(into, "mine.txt"), "mine");
  const target = ["--to", join(folder, "none")];
  const [taken, within, open, filled, used, early, wrong] = await Promise.all([
    run("backup", ["--to", into]),
    run("backup", ["--to", join(dataDir, "x")]),
    run("backup", [], { BACKUP_PASSPHRASE: "" }),
    run("restore", ["--to", into]),
    run("restore", ["--to", dataDir]),
    run("restore", [...target, "--at", "2020-01-01T00:00:00.000Z"]),
    run("restore", target, { BACKUP_PASSPHRASE: "another passphrase" }),
  ]);
  expect(taken).toMatchObject(refused("contains other files \\(mine.txt\\)"));
  expect(within).toMatchObject(refused("is in DATA_DIR"));
  expect(open).toMatchObject(refused("^BACKUP_PASSPHRASE is missing"));
  expect(filled).toMatchObject(refused("is not empty \\(mine.txt\\)"));
  expect(used).toMatchObject(refused("^A server runs on .*PostgreSQL is process"));
  expect(early).toMatchObject(refused("^The oldest backup in .* was complete at .*Z, after --at 2020"));
  expect(wrong).toMatchObject(refused("is not the one by which the backup's secrets were encrypted"));
  expect(readdirSync(folder)).not.toContain("none");
});

test.runIf(canMount)("leaves nothing behind where a disk is full", async () => {
  const disk = smallDisk(24 * 1_048_576);
  const full = await run("backup", ["--to", join(disk.folder, "backups")]);
  expect(full).toMatchObject(refused("^The disk of .* is full. The unfinished backup was removed"));
  expect(readdirSync(join(disk.folder, "backups")).filter((name) => /^\d/.test(name))).toEqual([]);
  const room = await run("restore", ["--to", join(disk.folder, "data")]);
  expect(room).toMatchObject(refused("has \\d+ MB left; the databases alone take \\d+ MB"));
});
