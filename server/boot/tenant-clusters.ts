import type { Env } from "../env/read-env.ts";
import { log } from "../log.ts";
import { type TenantCluster, tenantCluster } from "../providers/tenants/cluster.ts";
import { readIdentifier, startCluster, tenantsAreEmbedded } from "./embedded-clusters.ts";
import type { EngineGuard } from "./engine-guard.ts";
import { readCommand } from "./processes.ts";

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

/**
 * Looks at the configured clusters for accounts' databases; where there are none, and the platform's own is embedded,
 * starts an embedded one and returns its administrator's address. Never the platform's: ending one tenant's backend the hard way restarts all of its cluster.
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
