import type { KeyObject } from "node:crypto";
import type { Database } from "#db/client.ts";
import type { Changes } from "#server/changes.ts";
import type { Release } from "#server/env/release.ts";
import type { Liveness } from "#server/liveness.ts";
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
import type { WakeUps } from "#server/wake-ups.ts";
import type { NetworkFeeLimits } from "#server/wallets/network-fees.ts";

/** At least one, the newest first. */
export type Several<Value> = readonly [Value, ...Value[]];

/** What the process was started with; `server/env/read-env.ts` reads it. */
export interface Settings {
  /** Whether what the build has made is served, not the sources as they are edited. */
  production: boolean;
  baseUrl: string;
  /** The two characters by which new secrets name this installation among the cells behind one address. */
  cell: string;
  /** What the process was built from. */
  release: Release;
  /** Keys of the HMAC over idempotent requests; of these three, the first is used and each is still accepted. */
  fingerprintSecrets: Several<string>;
  /** Encrypt the console's session cookies. */
  authSecrets: Several<string>;
  /** How long a sign-in to the console lasts at most, and how long without use, in seconds. */
  sessions: { lastSeconds: number; idleSeconds: number };
  /** The 32 bytes under which stored secrets are sealed. */
  sealingKeys: Several<Uint8Array>;
  /** What wraps the keys of wallets. */
  vault: VaultSettings;
  /** Whether the embedded defaults stand behind the platform. */
  sandbox: boolean;
  /** A standby of the platform's database, which the console reads audit events and usage from; none: the primary. */
  replicaUrl?: string | undefined;
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
  /** Whether the sandbox has no chains because no node for them runs on this machine. */
  lacksSandboxChains?: boolean;
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
  /** How apps that nobody has set up may ask for access. */
  oauth: {
    /** Whether they may register themselves. */
    registration: boolean;
    /** Whether their documents are read, by the address that is their `client_id`. */
    documents: boolean;
  };
  /** What bounds streams, where it is not as ever. */
  streams?: Partial<StreamLimits>;
  /** The mail server that carries invitations; null: they are links to hand over. */
  mail: MailSettings | null;
}

/** When operations and services were first known, in Unix milliseconds, by selector. */
export type Registrations = ReadonlyMap<string, number>;

export interface Platform {
  settings: Settings;
  database: Database;
  /** Null where no standby is configured. */
  replica: Replica | null;
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
  /** Wakes the workers after work was committed. */
  wakeUps: WakeUps;
  /** Publishes changes to open pages and streams. */
  changes: Changes;
  /** The streams that clients follow. */
  streams: OpenStreams;
  /** Whether the worker beside this process runs; null where that is not this installation's to know. */
  worker: { running: boolean } | null;
  /** The platform's own services, then the operator's. */
  services: readonly ServiceDefinition[];
  /** Every operation of this process. */
  operations: readonly Operation[];
  registrations: Registrations;
  close(): Promise<void>;
}

// Next.js bundles its own copy of every module; what both copies need lives on globalThis.
const KEY = Symbol.for("managed-services.platform");
const holder = globalThis as { [KEY]?: Platform };

/** Makes this the running platform; null ends that it is. */
export function setPlatform(running: Platform | null): void {
  holder[KEY] = running ?? undefined;
}

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
