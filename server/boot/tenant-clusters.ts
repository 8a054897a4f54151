import { join } from "node:path";
import postgres from "postgres";
import type { Env } from "../env/read-env.ts";
import { log } from "../log.ts";
import { configuredCluster, type TenantCluster, tenantCluster } from "../providers/tenants/cluster.ts";
import { startPostgres } from "./postgres.ts";

const GB = 1024 ** 3;

async function systemIdentifier(url: string): Promise<string | null> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, backoff: false, onnotice: () => undefined });
  try {
    const [row] = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`;
    return row?.id ?? null;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * The clusters for accounts' databases: the configured ones, else an embedded one where the platform's own is embedded.
 * Never the platform's: ending one tenant's backend the hard way restarts all of its cluster.
 */
export async function startTenantClusters(
  env: Env,
  platformUrl: string,
  stops: (() => unknown)[],
): Promise<TenantCluster[]> {
  if (env.managedDatabaseUrls.length === 0 && env.sandbox) {
    const embedded = await startPostgres({
      name: "tenants",
      dataDir: join(env.dataDir, "postgres", "tenants"),
      memoryBytes: 2 * GB,
      settings: { temp_file_limit: "1GB", max_prepared_transactions: "0" },
    });
    stops.push(embedded.stop);
    return [tenantCluster("embedded", () => embedded.url())];
  }
  const own = await systemIdentifier(platformUrl);
  for (const address of env.managedDatabaseUrls) {
    const found = await systemIdentifier(address).catch((error) => {
      log.warn("A cluster of MANAGED_DATABASE_URLS is not available.", {
        host: new URL(address).host,
        error,
      });
      return null;
    });
    if (found !== null && found === own)
      throw new Error("MANAGED_DATABASE_URLS names the platform's own cluster. Tenants need another one.");
  }
  return env.managedDatabaseUrls.map(configuredCluster);
}
