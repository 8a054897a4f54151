import { rmSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "#server/boot/engines/postgres.ts";
import { migrate } from "#server/boot/migrate.ts";
import { acceptsConnections } from "./accepts-connections.ts";
import { newClusterFolder } from "./cluster-folder.ts";
import { copyTemplate } from "./cluster-template.ts";
import { eventually } from "./eventually.ts";
import { guardProcess } from "./guard-process.ts";
import { signalCluster } from "./signal-cluster.ts";

/**
 * Starts a PostgreSQL for tests that would disturb other tests, below `place` if one is given; `drop` ends it. With
 * `empty` it is left to be migrated.
 */
export async function startTestCluster({
  place,
  maxConnections = 100,
  settings = {},
  empty = false,
}: {
  place?: string | undefined;
  maxConnections?: number;
  settings?: Record<string, string>;
  empty?: boolean;
} = {}) {
  const folder = newClusterFolder(place);
  const dataDir = join(folder, "platform");
  // A disk of little space has no room for a template's log.
  const isCopied = !place && (await copyTemplate(empty ? "platform" : "migrated", dataDir));
  const cluster = await startPostgres({
    name: "platform",
    dataDir,
    throwAway: true,
    maxConnections,
    // Committed data must survive a kill of the server, and data that did not wait for the disk must not.
    settings: { synchronous_commit: "on", wal_writer_delay: "10s", ...settings },
  });
  guardProcess(cluster.pid, "INT QUIT");
  if (!empty && !isCopied) await migrate(cluster.url());
  return {
    url: cluster.url(),
    logFile: join(folder, "platform.log"),
    /** Kills the server, by default with SIGKILL; its supervisor restarts it at the same address. */
    kill: (signal: NodeJS.Signals = "SIGKILL") => process.kill(cluster.pid, signal),
    /** Waits until the server accepts connections. */
    untilUp: () => eventually(() => acceptsConnections(cluster.url())),
    /** Suspends the server until `thaw`, like a network that drops packets. */
    freeze: () => signalCluster(cluster, "SIGSTOP"),
    thaw: () => signalCluster(cluster, "SIGCONT"),
    async drop() {
      signalCluster(cluster, "SIGCONT");
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
