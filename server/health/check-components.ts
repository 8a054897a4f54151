import { connect, deadlineOf } from "#db/connect.ts";
import { platform } from "#server/platform.ts";
import { explainNoChain } from "#server/providers/chain/unavailable.ts";
import { checkEndpoint } from "#server/providers/model/openai-compatible.ts";
import type { TenantCluster } from "#server/providers/tenants/cluster.ts";
import { checkOf, type HealthCheck } from "./check.ts";
import { explainSkew, readClockSkew } from "./clock-skew.ts";
import { readSchemaVersion } from "./schema-version.ts";

/** The fault of this process's clock by the latest comparison with the database's; null if there is none. */
let clockFault: string | null = null;

/** Checks the database, which every call needs, and compares its clock with this process's. */
export const checkDatabase = checkOf({
  name: "database",
  title: () => "The platform's database (DATABASE_URL)",
  async ask() {
    const { probe } = platform().database;
    const [skew] = await Promise.all([readClockSkew(probe), readSchemaVersion(probe)]);
    clockFault = explainSkew(skew);
  },
});

/** Reports this process's clock if it differs from the database's; `checkDatabase` has compared them. */
export function checkClock(): HealthCheck[] {
  return clockFault === null ? [] : [{ name: "clock", ok: false, durationMs: null, message: clockFault }];
}

/** Checks whether blobs can be stored, as calls for files, artifacts and archives need. */
export const checkBlobs = checkOf({
  name: "blobs",
  title: () => platform().blobs.title,
  ask: () => platform().blobs.check(),
});

/** How long the result of the key service is reused: anybody may ask for it, and it charges for each request. */
const KEY_SERVICE_KEPT_MS = 2000;

const checkKeyService = checkOf({
  name: "vault",
  title: () => "The key management service (VAULT_KMS_KEY)",
  keptMs: KEY_SERVICE_KEPT_MS,
  async ask() {
    const { vault } = platform();
    // New wallets need it to wrap, signatures to unwrap; a role may be allowed only one of the two.
    const sealed = await vault.seal(new Uint8Array(), "health");
    await vault.use(sealed, "health", () => undefined);
  },
});

/** Checks the service that wraps the keys of wallets; returns nothing if they are wrapped by the platform itself. */
export async function checkVault(): Promise<HealthCheck[]> {
  return platform().settings.vault.kms ? [await checkKeyService()] : [];
}

/** How long the results of other people's services are reused: anybody may ask for them. */
const SERVICES_KEPT_MS = 5000;

const checkModel = checkOf({
  name: "model",
  title: () => "The model endpoint (MODEL_BASE_URL)",
  keptMs: SERVICES_KEPT_MS,
  ask: async () => {
    const { model } = platform().settings;
    if (model) await checkEndpoint(model);
  },
});

const checkMail = checkOf({
  name: "mail",
  title: () => "The mail server (SMTP_URL)",
  keptMs: SERVICES_KEPT_MS,
  ask: async () => platform().mailer?.check(),
});

const checkFacilitator = checkOf({
  name: "facilitator",
  title: () => "The facilitator of payments (FACILITATOR_URL)",
  keptMs: SERVICES_KEPT_MS,
  ask: async () => platform().facilitator?.check?.(),
});

/** Checks the services that the operator has configured for agents, mails and payments. */
export function checkServices(): Promise<HealthCheck[]> {
  const { settings, mailer, facilitator } = platform();
  return Promise.all([
    ...(settings.model ? [checkModel()] : []),
    ...(mailer ? [checkMail()] : []),
    ...(facilitator?.check ? [checkFacilitator()] : []),
  ]);
}

const clusterChecks = new Map<TenantCluster, () => Promise<HealthCheck>>();

function checkOfCluster(cluster: TenantCluster): () => Promise<HealthCheck> {
  const known = clusterChecks.get(cluster);
  if (known) return known;
  // A separate connection from those of calls; it is ended if the cluster is silent.
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

/** Checks the clusters for managed databases; returns nothing if none is configured. */
export function checkClusters(): Promise<HealthCheck[]> {
  return Promise.all(platform().settings.tenantClusters.map((cluster) => checkOfCluster(cluster)()));
}

/** Reports missing chains of the sandbox; existing chains are checked one by one. */
export function checkSandboxChains(): HealthCheck[] {
  const { settings } = platform();
  if (!settings.lacksSandboxChains) return [];
  return [{ name: "chains", ok: false, durationMs: null, message: explainNoChain(settings) }];
}

/**
 * Checks the worker beside this process, if one supervisor runs both: work that continues after a response needs it.
 */
export function checkWorker(): HealthCheck[] {
  const { worker } = platform();
  if (!worker) return [];
  const message = worker.running ? null : "The worker is not running; it is being restarted.";
  return [{ name: "worker", ok: worker.running, durationMs: null, message }];
}
