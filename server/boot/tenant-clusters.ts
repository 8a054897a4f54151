import { join } from "node:path";
import postgres from "postgres";
import type { Env } from "../env/read-env.ts";
import { log } from "../log.ts";
import { type TenantCluster, tenantCluster } from "../providers/tenants/cluster.ts";
import type { EngineGuard } from "./engine-guard.ts";
import { startPostgres } from "./postgres.ts";
import { readCommand } from "./processes.ts";

const GB = 1024 ** 3;

/** What all databases of a cluster share is made large, or bounded, so that no tenant uses it up. */
export const SHARED_SETTINGS = {
  max_prepared_transactions: "0",
  max_locks_per_transaction: "512",
  superuser_reserved_connections: "20",
  max_notify_queue_pages: "256",
};

/** The cluster that an embedded server at the administrator's address is; of its processes only backends of tenants are signalled. */
export function embeddedCluster(address: string): TenantCluster {
  return tenantCluster(
    "embedded",
    () => address,
    (pid, signal) => {
      if (/^postgres: tenant_[0-9a-f]{24} /.test(readCommand(pid))) process.kill(pid, signal);
    },
  );
}

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
 * Looks at the configured clusters for accounts' databases; where there are none, and the platform's own is embedded,
 * starts an embedded one and answers its administrator's address. Never the platform's: ending one tenant's backend the hard way restarts all of its cluster.
 */
export async function startTenantClusters(
  env: Env,
  platformUrl: string,
  stops: (() => unknown)[],
  guard?: EngineGuard,
): Promise<string | null> {
  if (env.managedDatabaseUrls.length === 0 && env.sandbox) {
    const embedded = await startPostgres({
      name: "tenants",
      dataDir: join(env.dataDir, "postgres", "tenants"),
      ...(guard && { guard }),
      memoryBytes: 2 * GB,
      maxConnections: 220,
      settings: { temp_file_limit: "1GB", ...SHARED_SETTINGS },
    });
    stops.push(embedded.stop);
    return embedded.url();
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
  return null;
}
