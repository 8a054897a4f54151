import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { copyCluster } from "#server/boot/backup/copy-cluster.ts";
import { repositoryAt } from "#server/boot/backup/repository.ts";
import { migrate } from "#server/boot/migrate.ts";
import { type Postgres, startPostgres } from "#server/boot/postgres.ts";
import { onCleanup } from "./cleanup.ts";
import { guardProcess } from "./guard-process.ts";
import { startNetwork } from "./network.ts";
import { signalCluster } from "./signal-cluster.ts";

/** What was answered must have reached the standby; its own disk may lose what a test does not need. */
const SETTINGS = { synchronous_commit: "on" };

async function run(url: string, ...statements: string[]) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Starts a migrated PostgreSQL with a synchronous standby, and one address that leads to the primary: `failOver` makes the
 * standby that. They end with the test file.
 */
export async function startWithStandby() {
  const folder = mkdtempSync(join(tmpdir(), `managed-services-test-${process.pid}-`));
  async function start(place: string, settings: Record<string, string> = {}) {
    const started = await startPostgres({
      name: "platform",
      dataDir: join(folder, place),
      throwAway: true,
      settings: { ...SETTINGS, ...settings },
    });
    guardProcess(started.pid, "INT QUIT");
    return started;
  }
  const primary = await start("primary");
  await migrate(primary.url());
  const standby = await copy();
  await run(
    primary.url(),
    "alter system set synchronous_standby_names = 'FIRST 1 (standby)'",
    "select pg_reload_conf()",
  );
  let leader: Postgres = primary;
  const network = await startNetwork(() => leader.url());
  onCleanup(async () => {
    for (const server of [primary, standby]) {
      signalCluster(server, "SIGCONT");
      await server.stop();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  async function copy(): Promise<Postgres> {
    const repository = repositoryAt(join(folder, "log"));
    mkdirSync(repository.log("platform"), { recursive: true });
    const to = join(folder, "standby");
    const request = { name: "platform", dataDir: join(folder, "primary"), to, repository } as const;
    const { manifest } = await copyCluster(primary.url(), request);
    writeFileSync(join(to, "backup_label"), manifest.label);
    writeFileSync(join(to, "standby.signal"), "");
    await copyFile(join(folder, "primary.password"), `${to}.password`);
    const { hostname, port, username, password } = new URL(primary.url());
    const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
    return start("standby", { primary_conninfo: source });
  }

  return {
    /** The address that leads to the primary. */
    url: network.url(),
    /** The standby's own address. */
    standbyUrl: () => standby.url(),
    /** Has the primary answer nothing, until `thaw`. */
    freezePrimary: () => signalCluster(primary, "SIGSTOP"),
    /** As where its machine has died: those of its processes that were frozen would stay for ever. */
    killPrimary: () => signalCluster(primary, "SIGKILL"),
    /** Has the standby confirm nothing, so that each commit waits, until `thaw`. */
    freezeStandby: () => signalCluster(standby, "SIGSTOP"),
    thaw: () => {
      for (const server of [primary, standby]) signalCluster(server, "SIGCONT");
    },
    /** Promotes the standby, ends the connections to the old primary, and leads to the new one. */
    async failOver() {
      await run(standby.url("postgres"), "select pg_promote(true, 30)");
      leader = standby;
      network.reset();
    },
  };
}
