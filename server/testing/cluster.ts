import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#server/boot/migrate.ts";
import { startPostgres } from "#server/boot/postgres.ts";
import { guardProcess } from "./guard-process.ts";
import { signalCluster } from "./signal-cluster.ts";

/** A migrated PostgreSQL of a test's own, for what the other tests' must not suffer, below `place`; `drop` ends it. */
export async function startTestCluster({ place = tmpdir(), maxConnections = 100 } = {}) {
  const folder = mkdtempSync(join(place, `managed-services-test-${process.pid}-`));
  const cluster = await startPostgres({
    name: "platform",
    dataDir: join(folder, "platform"),
    throwAway: true,
    maxConnections,
    // What was committed must outlive a kill of the server, and nothing saves what did not wait for the disk.
    settings: { synchronous_commit: "on", wal_writer_delay: "10s" },
  });
  guardProcess(cluster.pid, "INT QUIT");
  await migrate(cluster.url());
  return {
    url: cluster.url(),
    /** Ends the server, by default the hard way; its supervisor starts it again at the same address. */
    kill: (signal: NodeJS.Signals = "SIGKILL") => process.kill(cluster.pid, signal),
    /** Has it answer nothing, as a network does that swallows what is sent, until `thaw`. */
    freeze: () => signalCluster(cluster, "SIGSTOP"),
    thaw: () => signalCluster(cluster, "SIGCONT"),
    async drop() {
      signalCluster(cluster, "SIGCONT");
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
