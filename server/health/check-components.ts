import { connect, deadlineOf } from "#db/connect.ts";
import { platform } from "#server/platform.ts";
import { explainNoChain } from "#server/providers/chain/unavailable.ts";
import type { TenantCluster } from "#server/providers/tenants/cluster.ts";
import { checkOf, type HealthCheck } from "./check.ts";
import { readSchemaVersion } from "./schema-version.ts";

/** Whether the database answers, which every call needs. */
export const checkDatabase = checkOf({
  name: "database",
  title: () => "The platform's database (DATABASE_URL)",
  ask: () => readSchemaVersion(platform().database.probe),
});

/** Whether bytes could be stored, which calls for files, artifacts and archives need. */
export const checkBlobs = checkOf({
  name: "blobs",
  title: () => platform().blobs.title,
  ask: () => platform().blobs.check(),
});

const clusterChecks = new Map<TenantCluster, () => Promise<HealthCheck>>();

function checkOfCluster(cluster: TenantCluster): () => Promise<HealthCheck> {
  const known = clusterChecks.get(cluster);
  if (known) return known;
  // Apart from the connections of calls; a cluster that is silent ends it.
  const probe = connect(cluster.url("postgres"), {
    max: 1,
    idle_timeout: 30,
    backoff: false,
    deadline: deadlineOf(2000),
  });
  const check = checkOf({
    name: "databases",
    title: () => `The cluster ${cluster.name} of accounts' databases (MANAGED_DATABASE_URLS)`,
    ask: () => probe`select 1`,
  });
  clusterChecks.set(cluster, check);
  return check;
}

/** Whether the clusters answer that calls for managed databases need; none where none is configured. */
export function checkClusters(): Promise<HealthCheck[]> {
  return Promise.all(platform().settings.tenantClusters.map((cluster) => checkOfCluster(cluster)()));
}

/** Says where the sandbox lacks its chains; chains that exist are checked one by one. */
export function checkSandboxChains(): HealthCheck[] {
  const { settings } = platform();
  if (!settings.lacksSandboxChains) return [];
  return [{ name: "chains", ok: false, durationMs: null, message: explainNoChain(settings) }];
}

/** Whether the worker beside this process runs, where the same supervisor keeps both: what goes on after an answer needs it. */
export function checkWorker(): HealthCheck[] {
  const { worker } = platform();
  if (!worker) return [];
  const message = worker.running ? null : "The worker does not run; it is started again.";
  return [{ name: "worker", ok: worker.running, durationMs: null, message }];
}
