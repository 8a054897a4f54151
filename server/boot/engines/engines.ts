import { log } from "../../base/log.ts";
import type { Env } from "../../env/read-env.ts";
import type { ChainSettings } from "../../providers/chain/chains.ts";
import { awaitDatabase } from "../await-database.ts";
import { filesOf, keepMirroring } from "../backup/mirror-files.ts";
import { repositoryAt } from "../backup/repository.ts";
import { startChains } from "../chains.ts";
import { explainMissingStandby } from "../connections.ts";
import { migrate } from "../migrate.ts";
import type { Stop } from "../run-process.ts";
import { startTenantClusters } from "../tenant-clusters.ts";
import { startCluster } from "./embedded-clusters.ts";
import { type EngineGuard, openEngineGuard } from "./engine-guard.ts";

/** The databases and chains that the platform's parts use: plain values, since a part may be a process of its own. */
export interface Engines {
  databaseUrl: string;
  directUrl: string;
  /** The administrator's address of the embedded cluster for accounts' databases; null if clusters are configured. */
  embeddedTenants: string | null;
  chains: readonly ChainSettings[];
}

/** The setting that names the database for session locks. */
export const directSetting = ({ databaseUrl, databaseDirectUrl }: Env) =>
  databaseDirectUrl === databaseUrl ? "DATABASE_URL" : "DATABASE_DIRECT_URL";

/**
 * Starts the embedded databases and chains, or checks the configured ones, and migrates; adds their ends to `stops`.
 */
export async function startEngines(
  env: Env,
  stops: Stop[],
): Promise<{ engines: Engines; guard: EngineGuard | undefined }> {
  const guard = env.sandbox ? openEngineGuard(env.dataDir, env.enginesWaitSeconds) : undefined;
  if (guard) stops.push(guard.close);
  let databaseUrl = env.databaseUrl;
  if (!databaseUrl) {
    const cluster = await startCluster("platform", env, guard);
    stops.push(cluster.stop);
    databaseUrl = cluster.url();
  }
  const directUrl = env.databaseDirectUrl ?? databaseUrl;
  if (env.databaseUrl) {
    await awaitDatabase(directUrl, directSetting(env));
    const warning = env.chains && (await explainMissingStandby(directUrl));
    if (warning) log.warn(warning);
  }
  const starting = [
    startTenantClusters(env, directUrl, stops, guard),
    startChains(env, directUrl, stops, guard),
    migrate(directUrl),
  ] as const;
  // If one fails, the ones that have started must be stopped.
  await Promise.allSettled(starting);
  const [embeddedTenants, chains, releaseUrl] = await Promise.all(starting);
  if (env.backupDir) stops.push(keepMirroring(filesOf(env), repositoryAt(env.backupDir)));
  const engines = {
    // A pooler gives each transaction another session, which names no release.
    databaseUrl: databaseUrl === directUrl ? releaseUrl : databaseUrl,
    directUrl: releaseUrl,
    embeddedTenants,
    chains,
  };
  return { engines, guard };
}
