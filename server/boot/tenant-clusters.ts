import { log } from "../base/log.ts";
import type { Env } from "../env/read-env.ts";
import { type TenantCluster, tenantCluster } from "../providers/tenants/cluster.ts";
import { readIdentifier, startCluster, tenantsAreEmbedded } from "./engines/embedded-clusters.ts";
import type { EngineGuard } from "./engines/engine-guard.ts";
import { readCommand } from "./processes.ts";

/**
 * Returns the cluster of the embedded server at the administrator's address; of its processes, only tenants' backends
 * are signalled.
 */
export function embeddedCluster(address: string): TenantCluster {
  return tenantCluster(
    "embedded",
    () => address,
    (pid, signal) => {
      if (/^postgres: tenant_[0-9a-f]{24} /.test(readCommand(pid))) process.kill(pid, signal);
    },
  );
}

/**
 * Checks the configured clusters for accounts' databases. If there are none and the platform's own cluster is embedded,
 * starts another embedded one and returns its administrator's address. The platform's cluster is never used: killing
 * one tenant's backend restarts its whole cluster.
 */
export async function startTenantClusters(
  env: Env,
  platformUrl: string,
  stops: (() => unknown)[],
  guard?: EngineGuard,
): Promise<string | null> {
  if (tenantsAreEmbedded(env)) {
    const embedded = await startCluster("tenants", env, guard);
    stops.push(embedded.stop);
    return embedded.url();
  }
  const own = await readIdentifier(platformUrl);
  for (const { name, url } of env.managedDatabases) {
    const found = await readIdentifier(url).catch((error) => {
      log.warn("A cluster of MANAGED_DATABASE_URLS is not available.", { cluster: name, error });
      return null;
    });
    if (found !== null && found === own)
      throw new Error("MANAGED_DATABASE_URLS names the platform's own cluster. Tenants need another one.");
  }
  return null;
}
