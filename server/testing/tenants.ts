import { rmSync } from "node:fs";
import { join } from "node:path";
import { SHARED_SETTINGS } from "#server/boot/engines/embedded-clusters.ts";
import { startPostgres } from "#server/boot/engines/postgres.ts";
import { embeddedCluster } from "#server/boot/tenant-clusters.ts";
import { newClusterFolder } from "./cluster-folder.ts";
import { copyTemplate } from "./cluster-template.ts";
import { guardProcess } from "./guard-process.ts";
import { signalCluster } from "./signal-cluster.ts";

/** Starts a cluster for accounts' databases of a test file, below `place` if one is given; `drop` ends it. */
export async function startTenantCluster({
  maxConnections = 100,
  place = undefined as string | undefined,
} = {}) {
  const folder = newClusterFolder(place);
  const dataDir = join(folder, "tenants");
  if (!place) await copyTemplate("tenants", dataDir);
  const server = await startPostgres({
    name: "tenants",
    dataDir,
    throwAway: true,
    maxConnections,
    settings: { temp_file_limit: "64MB", fsync: "off", ...SHARED_SETTINGS },
  });
  guardProcess(server.pid, "INT QUIT");
  return {
    cluster: embeddedCluster(server.url()),
    url: server.url,
    logFile: join(folder, "tenants.log"),
    /** Kills the server, by default with SIGKILL; its supervisor restarts it at the same address. */
    kill: (signal: NodeJS.Signals = "SIGKILL") => process.kill(server.pid, signal),
    /** Suspends it until `thaw`. */
    freeze: () => signalCluster(server, "SIGSTOP"),
    thaw: () => signalCluster(server, "SIGCONT"),
    async drop() {
      signalCluster(server, "SIGCONT");
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
