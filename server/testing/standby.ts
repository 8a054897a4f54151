import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { copyCluster } from "#server/boot/backup/copy-cluster.ts";
import { repositoryAt } from "#server/boot/backup/repository.ts";
import { SHARED_SETTINGS } from "#server/boot/engines/embedded-clusters.ts";
import { type Postgres, startPostgres } from "#server/boot/engines/postgres.ts";
import { migrate } from "#server/boot/migrate.ts";
import { onCleanup } from "./cleanup.ts";
import { newClusterFolder } from "./cluster-folder.ts";
import { copyTemplate } from "./cluster-template.ts";
import { guardProcess } from "./guard-process.ts";
import { startNetwork } from "./network.ts";
import { signalCluster } from "./signal-cluster.ts";

/** A confirmed commit must have reached the standby; data on its own disk may be lost. */
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
 * Starts a PostgreSQL with a synchronous standby, and one address that leads to the primary. `failOver` promotes the
 * standby, and `addStandby` adds a new one. The platform's database is migrated. All end with the test file.
 */
export async function startWithStandby(name: "platform" | "tenants" = "platform") {
  const folder = newClusterFolder();
  const started: Postgres[] = [];
  const nextPlace = () => join(folder, `${name}-${started.length}`);

  async function start(dataDir: string, settings: Record<string, string> = {}) {
    const shared = name === "tenants" ? SHARED_SETTINGS : {};
    const server = await startPostgres({
      name,
      dataDir,
      throwAway: true,
      settings: { ...SETTINGS, ...shared, ...settings },
    });
    guardProcess(server.pid, "INT QUIT");
    started.push(server);
    return { server, dataDir };
  }

  const place = nextPlace();
  const isCopied = await copyTemplate(name === "platform" ? "migrated" : name, place);
  let primary = await start(place);
  if (name === "platform" && !isCopied) await migrate(primary.server.url());
  const leader = () => primary.server.url();
  const network = await startNetwork(leader);
  const replication = await startNetwork(leader);
  let standby = await copy();
  onCleanup(async () => {
    for (const server of started) {
      signalCluster(server, "SIGCONT");
      await server.stop();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a copy of the primary that follows it; the primary confirms no commit without it. */
  async function copy() {
    const to = nextPlace();
    const repository = repositoryAt(`${to}.log-archive`);
    mkdirSync(repository.log(name), { recursive: true });
    const { manifest } = await copyCluster(leader(), { name, dataDir: primary.dataDir, to, repository });
    writeFileSync(join(to, "backup_label"), manifest.label);
    writeFileSync(join(to, "standby.signal"), "");
    await copyFile(`${primary.dataDir}.password`, `${to}.password`);
    const { hostname, port, username, password } = new URL(replication.url());
    const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
    const copied = await start(to, { primary_conninfo: source });
    await run(
      leader(),
      "alter system set synchronous_standby_names = 'FIRST 1 (standby)'",
      "select pg_reload_conf()",
    );
    return copied;
  }

  return {
    /** The address that leads to the current primary. */
    url: network.url(),
    /** The standby's own address. */
    standbyUrl: () => standby.server.url(),
    /** Suspends the primary until `thaw`. */
    freezePrimary: () => signalCluster(primary.server, "SIGSTOP"),
    /** Kills the primary for good, as if its machine had died; its suspended processes end too. */
    async killPrimary() {
      signalCluster(primary.server, "SIGKILL");
      await primary.server.stop();
    },
    /** Suspends the standby, so that commits wait, until `thaw`. */
    freezeStandby: () => signalCluster(standby.server, "SIGSTOP"),
    /** Stops the replication, so that a failover loses the primary's writes from now on. */
    partStandby: replication.cut,
    thaw: () => {
      for (const { server } of [primary, standby]) signalCluster(server, "SIGCONT");
    },
    /** Promotes the standby, ends the connections to the old primary, and directs the address to the new one. */
    async failOver() {
      replication.reset();
      replication.restore();
      // It has no standby until one is added.
      await run(
        standby.server.url("postgres"),
        "select pg_promote(true, 30)",
        "alter system reset synchronous_standby_names",
        "select pg_reload_conf()",
      );
      primary = standby;
      network.reset();
    },
    async addStandby() {
      standby = await copy();
    },
  };
}
