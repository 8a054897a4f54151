import type { Env } from "../env/read-env.ts";
import { operations } from "../operations.ts";
import type { Platform, Settings } from "../platform.ts";
import { sandboxAccounts } from "../providers/chain/sandbox/accounts.ts";
import { configuredCluster } from "../providers/tenants/cluster.ts";
import { loadServices } from "../services/load-services.ts";
import { startPlatform } from "../start-platform.ts";
import { awaitDatabase } from "./await-database.ts";
import { directSetting, type Engines } from "./engines/engines.ts";
import { startNext } from "./http/next.ts";
import { startIndexBuilds } from "./migrations/build-indexes.ts";
import { startRequestLog } from "./request-log.ts";
import type { Stop } from "./run-process.ts";
import { embeddedCluster } from "./tenant-clusters.ts";

/** The parts of the platform that one process runs. */
export interface Parts {
  web: boolean;
  worker: boolean;
  relayer: boolean;
}

function roleOf({ web, worker }: Parts): Settings["role"] {
  if (web && worker) return "all";
  return web ? "web" : worker ? "worker" : "relayer";
}

/** Returns the payee and the facilitator of payments: the sandbox's own accounts, unless the settings name others. */
function paymentsOf({ payments, sandboxMnemonic }: Env) {
  if (sandboxMnemonic === null) return payments;
  const { treasury, facilitator } = sandboxAccounts(sandboxMnemonic);
  return {
    treasury: payments.treasury ?? treasury.address,
    facilitator: payments.facilitator ?? facilitator,
  };
}

/**
 * Starts parts, while the engines may still be starting; adds the parts' ends to `stops`, which run in reverse order.
 */
export async function startParts(
  { web, worker, relayer }: Parts,
  env: Env,
  starting: Promise<Engines>,
  stops: Stop[],
): Promise<Platform> {
  const services = loadServices(env.servicesFile);
  // Next.js needs no database to prepare, and takes longer than all other parts.
  const preparing = web ? startNext(env) : undefined;
  preparing?.catch(() => undefined);
  // Each process loads only the modules of its own parts, while the engines start.
  const loading = Promise.all([
    relayer ? import("../swaps/relayer/relayer.ts") : undefined,
    worker ? import("./work.ts") : undefined,
    web ? import("./web.ts") : undefined,
  ]);
  loading.catch(() => undefined);
  const { databaseUrl, directUrl, embeddedTenants, chains } = await starting;
  const [relaying, work, serving] = await loading;
  const tenantClusters = embeddedTenants
    ? [embeddedCluster(embeddedTenants)]
    : env.managedDatabases.map(configuredCluster);
  // When a part is restarted, the database may be down, although it was up when the engines started.
  await awaitDatabase(directUrl, env.databaseUrl ? directSetting(env) : "the embedded database");
  const platform = await startPlatform(
    {
      ...env,
      role: roleOf({ web, worker, relayer }),
      tenantClusters,
      chains,
      services,
      payments: paymentsOf(env),
      lacksSandboxChains: env.sandboxMnemonic !== null && chains.length === 0,
    },
    databaseUrl,
    operations,
    directUrl,
  );
  stops.push(platform.close);
  if (env.logsRequests) stops.push(startRequestLog().stop);
  if (env.traces) {
    const { startTraces } = await import("./traces/start-traces.ts");
    stops.push(startTraces(env.traces, env.release).stop);
  }
  if (env.metrics) {
    const { startMetrics } = await import("./metrics/start-metrics.ts");
    const gauges = { directUrl, dataDir: env.dataDir, readsDatabase: worker };
    stops.push((await startMetrics(platform, env.metrics, gauges)).stop);
  }
  const account = platform.chains.accounts()?.relayer;
  if (account && relaying) stops.push(relaying.startRelayer({ directUrl, account }).stop);
  await work?.startWork(platform, { databaseUrl, directUrl }, stops);
  const next = await preparing;
  if (next) await serving?.startWeb(platform, next, { ...env, directUrl }, stops);
  // The last one: calls do not wait for indexes.
  stops.push(startIndexBuilds(directUrl).stop);
  return platform;
}
