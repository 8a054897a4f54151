import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startClock } from "#server/testing/cpu.ts";
import { isAlive } from "../processes.ts";
import { startPostgres } from "./postgres.ts";

let folder: string;
let dataDir: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postgres-launcher-"));
  chmodSync(folder, 0o755);
  dataDir = join(folder, "platform");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function connect(url: string) {
  return postgres(url, { max: 1, backoff: false, connect_timeout: 60, onnotice: () => undefined });
}

/** Repeats `read` until it succeeds; returns its result. */
const eventually = <Result>(read: () => Promise<Result>) =>
  vi.waitFor(read, { timeout: 120_000, interval: 50 });

/** Starts the cluster in a process of its own, which is then killed by SIGKILL. */
async function startAndKill() {
  const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, "postgres.ts"))};
    const cluster = await startPostgres({ name: "platform", dataDir: ${JSON.stringify(dataDir)} });
    console.log(cluster.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = await new Promise<number>((done) => child.stdout.once("data", (data) => done(Number(data))));
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
  return pid;
}

test("starts a cluster that only its password opens, and stops it", async () => {
  const cluster = await startPostgres({ name: "platform", dataDir });
  const sql = connect(cluster.url());
  const [row] =
    await sql`select current_database() as name, current_setting('server_version_num')::int / 10000 as version, lower('ÄÖ') as lower`;
  expect(row).toEqual({ name: "platform", version: 18, lower: "äö" });
  await sql.end();
  const wrong = connect(cluster.url().replace(/:[^:@]+@/, ":wrong@"));
  await expect(wrong`select 1`).rejects.toMatchObject({ code: "28P01" });
  await wrong.end();
  expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await cluster.stop();
  await expect(connect(cluster.url())`select 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("takes over the server that a killed process left running", async () => {
  const orphan = await startAndKill();
  const cluster = await startPostgres({ name: "platform", dataDir });
  expect(cluster.pid).toBe(orphan);
  await cluster.stop();
});

test("starts although the pid file names a process that is not PostgreSQL", async () => {
  writeFileSync(
    join(dataDir, "postmaster.pid"),
    `${process.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n\nready\n`,
  );
  const cluster = await startPostgres({ name: "platform", dataDir });
  expect(cluster.pid).not.toBe(process.pid);
  await cluster.stop();
});

test("leaves the server running for another process that uses it", async () => {
  const first = await startPostgres({ name: "platform", dataDir });
  const second = await startPostgres({ name: "platform", dataDir });
  const sql = connect(second.url());
  await sql`select 1`;
  await first.stop();
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
  await second.stop();
  await expect(connect(second.url())`select 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("stops the server though another process ends its use at the same moment", async () => {
  const cluster = await startPostgres({ name: "platform", dataDir });
  // A link to nothing is like a file that is removed after it was listed.
  symlinkSync("removed", join(`${dataDir}.users`, `${process.pid}-removed`));
  await cluster.stop();
  await expect(connect(cluster.url())`select 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("stops the server within a bound even if a statement does not end", async () => {
  const cluster = await startPostgres({ name: "platform", dataDir });
  const sql = connect(cluster.url());
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await sql`create table survives as select 1 as n`;
  const sleeping = sql`select pg_sleep(3600)`.catch(() => undefined);
  await sleep(200);
  // A frozen process handles no signal that asks it to end.
  process.kill(defined(backend?.pid), "SIGSTOP");
  const clock = startClock();
  await cluster.stop();
  expect(clock()).toBeLessThan(25_000);
  expect(isAlive(cluster.pid)).toBe(false);
  await sleeping;
  const again = await startPostgres({ name: "platform", dataDir });
  const after = connect(again.url());
  expect(await after`select n from survives`).toEqual([{ n: 1 }]);
  await after.end();
  await again.stop();
});

test("restarts a killed server at the same address, with every committed row", async () => {
  const cluster = await startPostgres({ name: "platform", dataDir });
  const url = cluster.url();
  const killed = cluster.pid;
  const sql = connect(url);
  await sql`create table written (n int primary key)`;
  const writer = connect(url);
  let committed = 0;
  const writing = (async () => {
    for (;;) {
      await writer`insert into written values (${committed + 1})`;
      committed++;
    }
  })().catch(() => undefined);
  await expect.poll(() => committed).toBeGreaterThan(0);
  // Backends are killed first, since they would otherwise outlive the postmaster for a moment.
  const backends =
    await sql`select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  process.kill(killed, "SIGKILL");
  for (const { pid } of backends) process.kill(pid, "SIGKILL");
  await writing;
  const count = await eventually(async () => {
    const probe = connect(url);
    const [row] = await probe`select max(n) as last, count(*)::int as count from written`.finally(() =>
      probe.end(),
    );
    if (cluster.pid === killed) throw new Error("The killed server still answers.");
    return row;
  });
  expect(count?.last).toBeGreaterThanOrEqual(committed);
  expect(count?.count).toBe(count?.last);
  await Promise.all([sql.end({ timeout: 1 }), writer.end({ timeout: 1 })]);
  await cluster.stop();
});

test("runs as root without user namespaces, too, under another account", async () => {
  const cluster = await startPostgres({
    name: "tenants",
    dataDir: join(folder, "tenants"),
    namespaces: false,
  });
  const sql = connect(cluster.url());
  expect(await sql`select current_database() as name`).toEqual([{ name: "tenants" }]);
  await sql.end();
  await cluster.stop();
});

test("refuses the data of another major version, leaves it unchanged, and says what to do", async () => {
  const place = join(folder, "older");
  const older = { name: "platform", dataDir: place } as const;
  await (await startPostgres(older)).stop();
  // The state that PostgreSQL 17 would have left.
  writeFileSync(join(place, "PG_VERSION"), "17\n");
  await expect(startPostgres(older)).rejects.toThrow(
    `PostgreSQL 17 has written ${place}, and this release brings 18.`,
  );
  writeFileSync(join(place, "PG_VERSION"), "18\n");
  await (await startPostgres(older)).stop();
});
