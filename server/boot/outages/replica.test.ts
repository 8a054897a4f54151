import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startClock } from "#server/testing/cpu.ts";
import { startNetwork } from "#server/testing/network.ts";
import { commandPath } from "#server/testing/program-path.ts";
import { startWithStandby } from "#server/testing/standby.ts";
import { explainMissingStandby } from "../connections.ts";

const database = await startWithStandby();
const network = await startNetwork(database.standbyUrl);
const api = await startApi({
  database: { url: database.url, drop: () => undefined },
  settings: { replicaUrl: network.url() },
});
const standby = postgres(database.standbyUrl(), { max: 1 });
afterAll(() => standby.end());
const member = await signUpAndIn(api);
const folder = mkdtempSync(join(tmpdir(), "replica-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns how often the standby's sessions have read usage; reads of the primary change nothing there. */
async function readsOfStandby(): Promise<number> {
  const rows = await standby`
    select from pg_stat_activity where query like '%usage_by(%' and pid <> pg_backend_pid()`;
  return rows.length;
}

async function createProject(name: string) {
  const { status } = await member.mutate("projects.create", { name });
  expect(status).toBe(200);
}

async function listed(): Promise<string[]> {
  const { status, data } = await member.query("auditEvents.list", { operation: "projects.create" });
  expect(status).toBe(200);
  return data.auditEvents.map(({ id }: { id: string }) => id);
}

test("a start with wallets warns of nothing beside a synchronous standby", async () => {
  expect(await explainMissingStandby(database.url)).toBe(null);
});

test("the console reads audit events and usage from the standby, and keys from the primary", async () => {
  await createProject("First");
  await expect.poll(listed).toHaveLength(1);
  const root = await api.createRootKey();
  expect((await api.send("GET", "/v1/usage", { key: root.key })).status).toBe(200);
  expect(await readsOfStandby()).toBe(0);
  await expect
    .poll(async () => {
      await createProject(`Second ${performance.now()}`);
      expect((await member.query("usage.read")).status).toBe(200);
      return readsOfStandby();
    })
    .toBeGreaterThan(0);
});

/** Runs the operator's command beside the test's server, and reads its file as an auditor does. */
async function exportAudit(): Promise<number> {
  const file = join(folder, "audit.jsonl");
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: database.standbyUrl(),
    DATA_DIR: folder,
    BASE_URL: "",
  };
  const run = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [commandPath(script), ...args], { env, maxBuffer: 1e8 });
  const { stdout } = await run("audit-export", "--account", member.accountId);
  writeFileSync(file, stdout);
  const verified = await run("audit-verify", file);
  return Number.parseInt(verified.stdout, 10);
}

/** Returns how many rows of the audit chain the standby has read. */
async function chainReadsOfStandby(): Promise<number> {
  const [row] = await standby<{ read: number }[]>`
    select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname like 'audit_chain%'`;
  return row?.read ?? 0;
}

test("exports events from the standby, and from the primary only those that the standby lacks", async () => {
  await expect
    .poll(async () => {
      await createProject(`Exported ${performance.now()}`);
      const before = await chainReadsOfStandby();
      expect(await exportAudit()).toBeGreaterThan(0);
      return (await chainReadsOfStandby()) - before;
    })
    .toBeGreaterThan(0);
  const events = await exportAudit();
  await standby`select pg_wal_replay_pause()`;
  await createProject("Unknown to the standby");
  expect(await exportAudit()).toBeGreaterThan(events);
  await standby`select pg_wal_replay_resume()`;
});

async function countEvents(): Promise<number> {
  const [row] = await api.platform.database.client<{ count: number }[]>`
    select count(*)::int as count from audit_events where operation = 'projects.create'`;
  return row?.count ?? 0;
}

test("reads the primary when the standby falls over five seconds behind", async () => {
  let before = 0;
  const lacksLast = async () => {
    await standby`select pg_wal_replay_resume()`;
    await createProject(`Replayed ${performance.now()}`);
    await expect.poll(async () => (await listed()).length).toBe(await countEvents());
    before = (await listed()).length;
    await standby`select pg_wal_replay_pause()`;
    await createProject(`While replay stands ${performance.now()}`);
    return (await listed()).length === before;
  };
  // A busy machine may need more than five seconds for that.
  await expect.poll(lacksLast).toBe(true);
  await expect.poll(async () => (await listed()).length).toBe(before + 1);
  await standby`select pg_wal_replay_resume()`;
});

test("answers from the primary in time when the standby answers nothing", async () => {
  const before = (await listed()).length;
  network.cut();
  await createProject("While the network is cut");
  const clock = startClock();
  expect(await listed()).toHaveLength(before + 1);
  expect(clock()).toBeLessThan(5000);
  network.restore();
  network.reset();
  await expect.poll(async () => (await listed()).length).toBe(before + 1);
});
