import type { KeyObject } from "node:crypto";
import { type Database, openDatabase } from "#db/client.ts";
import { connect } from "#db/connect.ts";
import { registeredSelectors } from "#server/catalogue/selectors.ts";
import { type Changes, createChanges } from "#server/changes.ts";
import { DATABASE_LIMITS, TEMPORARY_BYTES } from "#server/databases/schema.ts";
import { holdLiveness, type Liveness } from "#server/liveness.ts";
import { createAdmission } from "#server/operation/admission.ts";
import { type ClaimReleaser, createClaimReleaser } from "#server/operation/claim-releaser.ts";
import type { Operation } from "#server/operation/operation.ts";
import { createRecorder } from "#server/operation/recorder.ts";
import { createLeases, type Leases } from "#server/operation/renew-leases.ts";
import { type BlobSettings, type BlobStore, openBlobStore } from "#server/providers/blobs/blob-store.ts";
import { type ChainSettings, type Chains, openChains } from "#server/providers/chain/chains.ts";
import type { Facilitator, PaymentSettings } from "#server/providers/facilitator/facilitator.ts";
import { openFacilitator } from "#server/providers/facilitator/open-facilitator.ts";
import { type Mailer, type MailSettings, openMailer } from "#server/providers/mail/mailer.ts";
import type { TenantCluster } from "#server/providers/tenants/cluster.ts";
import { createTenantSessions, type TenantSessions } from "#server/providers/tenants/sessions.ts";
import { openVault, type Vault, type VaultSettings } from "#server/providers/vault/vault.ts";
import type { ServiceDefinition } from "#server/services/service.ts";
import type { StorageBudgets } from "#server/storage/schema.ts";
import { createWakeUps, type WakeUps } from "#server/wake-ups.ts";
import type { NetworkFeeLimits } from "#server/wallets/network-fees.ts";

/** What the process was started with; `server/env/read-env.ts` reads it. */
export interface Settings {
  baseUrl: string;
  /** Key of the HMAC over idempotent requests. */
  fingerprintSecret: string;
  /** Encrypts the console's session cookies. */
  authSecret: string;
  /** The 32 bytes under which stored secrets are sealed. */
  sealingKey: Uint8Array;
  /** What wraps the keys of wallets. */
  vault: VaultSettings;
  /** Whether the embedded defaults stand behind the platform. */
  sandbox: boolean;
  signupCredits: number;
  /** Signs the heads of the audit's chains (Ed25519). */
  auditSigningKey: KeyObject;
  /** Signs the archives of managed databases (Ed25519). */
  archiveSigningKey: KeyObject;
  /** Raw public keys (base64) of other installations whose archives are imported. */
  trustedArchiveKeys: readonly string[];
  /** For how many months audit events and usage are kept at least. */
  auditRetentionMonths: number;
  /** What the operator has added (SERVICES_FILE). */
  services?: readonly ServiceDefinition[];
  /** Where files, artifacts and archives are kept. */
  blobs: BlobSettings;
  /** What an account may keep on disk. */
  storage: StorageBudgets;
  /** Where accounts' databases lie; none: managed databases answer 503. */
  tenantClusters: readonly TenantCluster[];
  /** The chains behind wallets, swaps and trading; none: those answer 503. */
  chains: readonly ChainSettings[];
  /** What networks may take of a wallet whose policy says nothing of that. */
  networkFees: NetworkFeeLimits;
  /** How credits are bought; where something is missing, that answers 503. */
  payments: PaymentSettings;
  /** Signs the receipts of purchases (Ed25519). */
  receiptSigningKey: KeyObject;
  /** What the accounts of the sandbox's chains are derived from; null beside real ones. */
  sandboxMnemonic: string | null;
  /** The OpenAI-compatible endpoint behind managed agents, and the models that may be asked for there. */
  model: { baseUrl: string; names: readonly string[]; apiKey?: string | undefined } | null;
  /** How long a model may take to answer. */
  modelTimeoutSeconds: number;
  /** The mail server that carries invitations; null: they are links to hand over. */
  mail: MailSettings | null;
}

/** When operations and services were first known, in Unix milliseconds, by selector. */
export type Registrations = ReadonlyMap<string, number>;

export interface Platform {
  settings: Settings;
  database: Database;
  admit: ReturnType<typeof createAdmission>;
  record: ReturnType<typeof createRecorder>;
  /** Says that this process lives. */
  liveness: Liveness;
  /** Gives back the idempotency keys of calls that have failed. */
  claims: ClaimReleaser;
  /** Keeps the places of the calls under way. */
  leases: Leases;
  blobs: BlobStore;
  chains: Chains;
  /** Keeps the keys of wallets. */
  vault: Vault;
  /** Null where no mail server is configured. */
  mailer: Mailer | null;
  /** Settles payments for credits, on the first chain. */
  facilitator: Facilitator | null;
  /** The connections to accounts' databases. */
  tenants: TenantSessions;
  /** Tells the workers of work that was committed. */
  wakeUps: WakeUps;
  /** Tells the pages that are open what has changed. */
  changes: Changes;
  /** Whether the worker beside this process runs; null where that is not this installation's to know. */
  worker: { running: boolean } | null;
  /** Every operation of this process. */
  operations: readonly Operation[];
  registrations: Registrations;
  close(): Promise<void>;
}

// Next.js bundles its own copy of every module; what both copies need lives on globalThis.
const KEY = Symbol.for("managed-services.platform");
const holder = globalThis as { [KEY]?: Platform };

/** The running platform, or null in an operator's script, which talks to the database alone. */
export function runningPlatform(): Platform | null {
  return holder[KEY] ?? null;
}

/** The running platform. */
export function platform(): Platform {
  const running = holder[KEY];
  if (!running) throw new Error("The platform has not been started.");
  return running;
}

/**
 * Connects the platform's parts, and notes the time of operations, capabilities and services that are new. `directUrl`
 * leads past any transaction pooler, for what holds a lock.
 */
export async function startPlatform(
  settings: Settings,
  databaseUrl: string,
  operations: readonly Operation[],
  directUrl = databaseUrl,
): Promise<Platform> {
  const liveness = await holdLiveness(directUrl);
  const database = openDatabase(databaseUrl);
  const claims = createClaimReleaser(database.admission);
  const leases = createLeases(database.admission);
  const registrations = new Map<string, number>();
  const chains = openChains(settings.chains, settings.sandboxMnemonic);
  const [payable] = chains.all;
  const started: Platform = {
    settings,
    database,
    admit: createAdmission(database.admission, leases.giveUp),
    record: createRecorder(database.admission, leases.owe),
    liveness,
    claims,
    leases,
    blobs: openBlobStore(settings.blobs),
    chains,
    vault: openVault(settings.vault),
    mailer: openMailer(settings.mail),
    facilitator: payable ? openFacilitator(settings.payments, payable) : null,
    tenants: createTenantSessions(settings.tenantClusters, {
      connections: DATABASE_LIMITS.connections,
      messageBytes: DATABASE_LIMITS.maximumResultBytes,
      databaseBytes: settings.storage.databaseBytes,
      temporaryBytes: TEMPORARY_BYTES,
      statementMs: DATABASE_LIMITS.maximumTimeoutMs,
    }),
    wakeUps: createWakeUps(database.client),
    changes: createChanges(database.client),
    worker: null,
    operations,
    registrations,
    async close() {
      if (holder[KEY] === started) holder[KEY] = undefined;
      leases.stop();
      claims.stop();
      await Promise.all([started.tenants.close(), database.close()]);
      await liveness.release();
    },
  };
  // From here on the operator's services are known too.
  holder[KEY] = started;
  for (const { selector, at } of await register(databaseUrl, registeredSelectors(operations)))
    registrations.set(selector, at);
  return started;
}

/** Notes the time of selectors that are new, and answers that of all. At a start that may take longer than in a call. */
async function register(databaseUrl: string, selectors: string[]) {
  const sql = connect(databaseUrl, { max: 1 });
  try {
    await sql`select ensure_partitions()`;
    await sql`insert into registrations (selector, registered_at)
      select selector, clock_timestamp() from unnest(${selectors}::text[]) selector order by selector on conflict do nothing`;
    return await sql<{ selector: string; at: number }[]>`
      select selector, (extract(epoch from registered_at) * 1000)::float8 as at from registrations`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
