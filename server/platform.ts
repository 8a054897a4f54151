import type { KeyObject } from "node:crypto";
import type { Database } from "#db/client.ts";
import type { Changes } from "#server/base/changes.ts";
import type { Liveness } from "#server/base/liveness.ts";
import type { WakeUps } from "#server/base/wake-ups.ts";
import type { Release } from "#server/env/release.ts";
import type { Registrations } from "#server/operation/access.ts";
import type { createAdmission } from "#server/operation/admission.ts";
import type { ClaimReleaser } from "#server/operation/claim-releaser.ts";
import type { OpenStreams, StreamLimits } from "#server/operation/open-streams.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { createRecorder } from "#server/operation/recorder.ts";
import type { Leases } from "#server/operation/renew-leases.ts";
import type { Replica } from "#server/operation/replica.ts";
import type { BlobSettings, BlobStore } from "#server/providers/blobs/blob-store.ts";
import type { ChainSettings, Chains } from "#server/providers/chain/chains.ts";
import type { Facilitator, PaymentSettings } from "#server/providers/facilitator/facilitator.ts";
import type { Mailer, MailSettings } from "#server/providers/mail/mailer.ts";
import type { TenantCluster } from "#server/providers/tenants/cluster.ts";
import type { TenantSessions } from "#server/providers/tenants/sessions.ts";
import type { Vault, VaultSettings } from "#server/providers/vault/vault.ts";
import type { ServiceDefinition } from "#server/services/service.ts";
import type { StorageBudgets } from "#server/storage/schema.ts";
import type { NetworkFeeLimits } from "#server/wallets/network-fees.ts";

/** A non-empty list, newest first. */
export type Several<Value> = readonly [Value, ...Value[]];

/** The settings that the process was started with; `server/env/read-env.ts` reads them. */
export interface Settings {
  /** True to serve the production build; false to serve the sources as they are edited. */
  production: boolean;
  /** This installation's own origin, of which its links are made. */
  baseUrl: string;
  /** The origin of the API in documents and samples, which cells share; `baseUrl` by default. */
  apiOrigin?: string | undefined;
  /** Two characters in new secrets that identify this installation among the cells behind one address. */
  cell: string;
  /** The roles of this process: `web` serves calls, `worker` executes jobs, `relayer` the sandbox's bridge. */
  role: "web" | "worker" | "relayer" | "all";
  /** The release that the process was built from. */
  release: Release;
  /**
   * HMAC keys for the fingerprints of idempotent requests. Of these three lists, the first entry is used and
   * every entry is accepted.
   */
  fingerprintSecrets: Several<string>;
  /** Keys that encrypt the console's session cookies. */
  authSecrets: Several<string>;
  /** The maximum lifetime of a console session, and its lifetime without use, in seconds. */
  sessions: { lastSeconds: number; idleSeconds: number };
  /** 32-byte keys that seal stored secrets. */
  sealingKeys: Several<Uint8Array>;
  /** How the keys of wallets are encrypted. */
  vault: VaultSettings;
  /** True if the embedded defaults are in use. */
  sandbox: boolean;
  /**
   * A standby of the platform's database, from which the console reads audit events and usage; without one,
   * the primary.
   */
  replicaUrl?: string | undefined;
  signupCredits: number;
  /** Signs the heads of the audit's hash chains (Ed25519). */
  auditSigningKey: KeyObject;
  /** Signs the archives of managed databases (Ed25519). */
  archiveSigningKey: KeyObject;
  /** Raw public keys (base64) of other installations whose archives may be imported. */
  trustedArchiveKeys: readonly string[];
  /** For how many months audit events and usage are kept at least. */
  auditRetentionMonths: number;
  /** How many months old a closed month of audit events is when it moves to the blob store. */
  auditArchiveMonths: number;
  /** Services that the operator has added (SERVICES_FILE). */
  services?: readonly ServiceDefinition[];
  /** The storage for files, artifacts and archives. */
  blobs: BlobSettings;
  /** How much each account may store. */
  storage: StorageBudgets;
  /** The PostgreSQL clusters for accounts' databases; without any, managed databases respond 503. */
  tenantClusters: readonly TenantCluster[];
  /** The chains for wallets, swaps and trading; without any, those respond 503. */
  chains: readonly ChainSettings[];
  /** True if the sandbox has no chains because this machine cannot run their nodes. */
  lacksSandboxChains?: boolean;
  /** Network fee limits for wallets whose policy sets none. */
  networkFees: NetworkFeeLimits;
  /** How credits are bought; if a part is missing, buying responds 503. */
  payments: PaymentSettings;
  /** Signs the receipts of purchases (Ed25519). */
  receiptSigningKey: KeyObject;
  /** The mnemonic that the sandbox chains' accounts are derived from; null with real chains. */
  sandboxMnemonic: string | null;
  /** The OpenAI-compatible endpoint for managed agents, and the models that may be requested from it. */
  model: { baseUrl: string; names: readonly string[]; apiKey?: string | undefined } | null;
  /** The response timeout of a model, in seconds. */
  modelTimeoutSeconds: number;
  /** How unregistered apps may ask for access. */
  oauth: {
    /** True if apps may register themselves. */
    registration: boolean;
    /** True if apps may use the address of a published metadata document as their `client_id`. */
    documents: boolean;
    /** Seconds between two polls for a device's tokens, if not 5. */
    pollSeconds?: number;
  };
  /** Limits of streams that differ from the defaults. */
  streams?: Partial<StreamLimits>;
  /** The mail server for invitations; null: the platform shows links to hand over instead. */
  mail: MailSettings | null;
}

export interface Platform {
  settings: Settings;
  database: Database;
  /** Null where no standby is configured. */
  replica: Replica | null;
  admit: ReturnType<typeof createAdmission>;
  record: ReturnType<typeof createRecorder>;
  /** Holds the lock that proves that this process lives. */
  liveness: Liveness;
  /** Releases the idempotency keys of failed calls. */
  claims: ClaimReleaser;
  /** Renews the leases of running calls. */
  leases: Leases;
  blobs: BlobStore;
  chains: Chains;
  /** Encrypts and decrypts the keys of wallets. */
  vault: Vault;
  /** Null where no mail server is configured. */
  mailer: Mailer | null;
  /** Settles payments for credits, on the first chain. */
  facilitator: Facilitator | null;
  /** Connections to accounts' databases. */
  tenants: TenantSessions;
  /** Wakes workers after work was committed. */
  wakeUps: WakeUps;
  /** Publishes changes to open pages and streams. */
  changes: Changes;
  /** The open streams of this process. */
  streams: OpenStreams;
  /** Says whether the worker beside this process runs; null if this process cannot know. */
  worker: { running: boolean } | null;
  /** The platform's own services, then the operator's. */
  services: readonly ServiceDefinition[];
  /** Every operation that this process serves. */
  operations: readonly Operation[];
  registrations: Registrations;
  close(): Promise<void>;
}

// Next.js bundles its own copy of every module, so state that both copies share lives on globalThis.
const KEY = Symbol.for("managed-services.platform");
const holder = globalThis as { [KEY]?: Platform };

/** Sets the running platform; null clears it. */
export function setPlatform(running: Platform | null): void {
  holder[KEY] = running ?? undefined;
}

/** Returns the running platform; null in an operator's script, which only uses the database. */
export function runningPlatform(): Platform | null {
  return holder[KEY] ?? null;
}

/** Returns the running platform; throws if it has not been started. */
export function platform(): Platform {
  const running = holder[KEY];
  if (!running) throw new Error("The platform has not been started.");
  return running;
}
