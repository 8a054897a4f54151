import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "#server/boot/postgres.ts";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";

/** A cluster for accounts' databases of a test file's own; `drop` ends it. */
export async function startTenantCluster() {
  const folder = mkdtempSync(join(tmpdir(), `managed-services-test-${process.pid}-`));
  const server = await startPostgres({
    name: "tenants",
    dataDir: join(folder, "tenants"),
    throwAway: true,
    settings: { temp_file_limit: "64MB", fsync: "off" },
  });
  return {
    cluster: tenantCluster("embedded", () => server.url()),
    url: server.url,
    /** Ends the server the hard way; its supervisor starts it again at the same address. */
    kill: () => process.kill(server.pid, "SIGKILL"),
    async drop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
