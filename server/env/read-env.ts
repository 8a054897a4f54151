import { join } from "node:path";
import type { z } from "zod";
import { defined } from "#server/defined.ts";
import { releaseOf } from "./release.ts";
import { keptSecrets, Secrets, secretNames, secretsFileOf } from "./secrets.ts";
import { SettingsError } from "./settings-error.ts";
import { OTHER_SANDBOX_CHAIN, Variables } from "./variables.ts";
import { keptVaultKeys } from "./vault-keys.ts";

const MB = 1_048_576;
const DAY_SECONDS = 86_400;

/** The bucket that BLOBS_URL names, else the data folder's own blobs. */
function blobsOf(settings: z.output<typeof Variables>) {
  const { BLOBS_URL: url, BLOBS_REGION: region, DATA_DIR } = settings;
  if (!url) return { folder: join(DATA_DIR, "blobs") };
  const accessKeyId = defined(settings.BLOBS_ACCESS_KEY_ID);
  return { url, region, accessKeyId, secretAccessKey: defined(settings.BLOBS_SECRET_ACCESS_KEY) };
}

/** Where an operator reads what a process counts. */
export interface MetricsSettings {
  port: number;
  host: string;
  /** Null: no token is needed at the port. */
  token: string | null;
}

function metricsOf(settings: z.output<typeof Variables>): MetricsSettings | null {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token = null } = settings;
  return port === undefined ? null : { port, host, token };
}

/** Where traces are sent. */
export interface TraceSettings {
  /** An OTLP receiver over HTTP, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  /** What part of traces is recorded, from 0 to 1. */
  ratio: number;
  serviceName: string;
}

function tracesOf(settings: z.output<typeof Variables>): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (!endpoint) return null;
  return {
    endpoint,
    headers: Object.fromEntries(headers.map((entry) => entry.split(/=(.*)/s, 2) as [string, string])),
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    serviceName: settings.OTEL_SERVICE_NAME,
  };
}

/** What wraps the keys of wallets: a key of AWS KMS where one is named, else keys of this installation. */
function vaultOf(settings: z.output<typeof Variables>, keys: () => readonly Uint8Array[]) {
  const { VAULT_KMS_KEY: key, VAULT_KMS_URL: url } = settings;
  if (!key) return { keys, kms: null };
  const accessKeyId = defined(settings.VAULT_KMS_ACCESS_KEY_ID);
  const secretAccessKey = defined(settings.VAULT_KMS_SECRET_ACCESS_KEY);
  return { keys, kms: { key, url, accessKeyId, secretAccessKey } };
}

function problemsOf({ issues }: z.ZodError) {
  return issues.map(({ path, message }) => `${path.join(".")} ${message}`);
}

/**
 * Reads and checks the settings, naming every fault at once. Secrets that are absent are made and kept in the data
 * folder, except in production on a database of one's own, where every process must be given the same ones.
 */
export function readEnv(source: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const read = Variables.safeParse(given);
  const embeddedChains = !given.DATABASE_URL && !given.CHAINS;
  const needed = secretNames.filter((name) => name !== "SANDBOX_MNEMONIC" || embeddedChains);
  const absent = needed.filter((name) => !given[name]);
  const production = given.NODE_ENV === "production";
  const shared = production && given.DATABASE_URL;
  const required = shared ? absent : [];
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(given.DATABASE_REPLICA_URL && !given.DATABASE_URL
      ? ["DATABASE_REPLICA_URL needs DATABASE_URL beside it."]
      : []),
    ...(given.DATABASE_DIRECT_URL && !given.DATABASE_URL
      ? ["DATABASE_DIRECT_URL needs DATABASE_URL beside it."]
      : []),
    ...(given.BACKUP_DIR && given.DATABASE_URL
      ? [
          "BACKUP_DIR keeps the embedded PostgreSQL's log; with DATABASE_URL that is your own PostgreSQL's to do.",
        ]
      : []),
    ...(given.BLOBS_URL && !(given.BLOBS_ACCESS_KEY_ID && given.BLOBS_SECRET_ACCESS_KEY)
      ? ["BLOBS_URL needs BLOBS_ACCESS_KEY_ID and BLOBS_SECRET_ACCESS_KEY beside it."]
      : []),
    ...(given.VAULT_KMS_KEY && !(given.VAULT_KMS_ACCESS_KEY_ID && given.VAULT_KMS_SECRET_ACCESS_KEY)
      ? ["VAULT_KMS_KEY needs VAULT_KMS_ACCESS_KEY_ID and VAULT_KMS_SECRET_ACCESS_KEY beside it."]
      : []),
    ...(given.SMTP_URL && !given.MAIL_FROM ? ["SMTP_URL needs MAIL_FROM beside it."] : []),
    ...(given.MODEL_BASE_URL && !given.MODEL_NAME ? ["MODEL_BASE_URL needs MODEL_NAME beside it."] : []),
    ...(given.ROLE === "relayer" && !embeddedChains
      ? [
          "ROLE is relayer, which serves the bridge of the embedded chains; there is none beside CHAINS or DATABASE_URL.",
        ]
      : []),
    ...(shared && !given.BLOBS_URL && given.BLOBS_SHARED_FOLDER !== "yes"
      ? [
          "BLOBS_URL is missing; with DATABASE_URL every process needs the same files. Set it, or BLOBS_SHARED_FOLDER=yes where the folder blobs of DATA_DIR is one for all of them.",
        ]
      : []),
    ...required.map((name) => `${name} is missing; with DATABASE_URL every process needs the same one.`),
  ];
  if (!read.success || problems.length > 0) throw new SettingsError(problems);
  const settings = read.data;
  const secrets = Secrets.safeParse({ ...(absent.length > 0 && keptSecrets(settings.DATA_DIR)), ...given });
  if (!secrets.success) throw new SettingsError(problemsOf(secrets.error));
  const sandbox = settings.DATABASE_URL === undefined;
  const secretsFile = secretsFileOf(settings.DATA_DIR);
  const { VAULT_KEYS: vaultKeys } = secrets.data;
  return {
    /** Whether what the build has made is served, not the sources as they are edited. */
    production,
    port: settings.PORT,
    /** The platform's origin, without a slash at its end. */
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    /** Where documents say that the API is reached; BASE_URL where it is not set. */
    apiOrigin: settings.API_ORIGIN,
    dataDir: settings.DATA_DIR,
    /** The two characters by which new secrets name this installation among the cells behind one address. */
    cell: settings.CELL,
    release: releaseOf(settings.COMMIT),
    databaseUrl: settings.DATABASE_URL,
    /** Past any transaction pooler: for LISTEN, advisory locks, migrations and the worker. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /** A standby that lists of audit events and usage in the console are read from; none: the primary. */
    replicaUrl: settings.DATABASE_REPLICA_URL,
    /** Where backups of the embedded parts are kept, with their log and files from moment to moment; none: only what `npm run backup` copies. */
    backupDir: settings.BACKUP_DIR,
    /** Seals the secrets in backups. */
    backupPassphrase: settings.BACKUP_PASSPHRASE,
    /** Clusters for accounts' databases; none: an embedded one in the sandbox, else managed databases answer 503. */
    managedDatabases: settings.MANAGED_DATABASE_URLS,
    /** How long embedded engines wait for the next process of a data folder whose last one was killed. */
    enginesWaitSeconds: settings.ENGINES_WAIT_SECONDS,
    /** Null: nothing is counted. */
    metrics: metricsOf(settings),
    /** Null: nothing is traced. */
    traces: tracesOf(settings),
    role: settings.ROLE,
    /** How long a stopping web process still answers, so that load balancers send calls elsewhere first. */
    drainSeconds: settings.ROLE === "web" ? settings.DRAIN_SECONDS : 0,
    trustedProxies: settings.TRUSTED_PROXIES,
    /** How long a sign-in to the console lasts, and how long without use. */
    sessions: {
      lastSeconds: settings.SESSION_DAYS * DAY_SECONDS,
      idleSeconds: settings.SESSION_IDLE_DAYS * DAY_SECONDS,
    },
    signupCredits: settings.SIGNUP_CREDITS ?? (sandbox ? 10_000 : 0),
    auditRetentionMonths: settings.AUDIT_RETENTION_MONTHS,
    auditArchiveMonths: settings.AUDIT_ARCHIVE_MONTHS,
    /** The chains behind wallets, swaps and trading; none: two embedded ones in the sandbox, else those answer 503. */
    chains: settings.CHAINS,
    /** The embedded chains by EIP-155 numbers; none beside configured ones, or beside a database of one's own. */
    sandboxChainIds: embeddedChains ? [settings.SANDBOX_CHAIN_ID, OTHER_SANDBOX_CHAIN] : [],
    /** What the accounts of the embedded chains are derived from. */
    sandboxMnemonic: (embeddedChains && secrets.data.SANDBOX_MNEMONIC) || null,
    /** What networks may take of a wallet whose policy says nothing of that. */
    networkFees: {
      maxNetworkFeeUsd: settings.MAX_NETWORK_FEE_USD,
      dailyNetworkFeeUsd: settings.DAILY_NETWORK_FEE_USD,
    },
    /** The manifest of the operator's own services. */
    servicesFile: settings.SERVICES_FILE,
    /** What an account may keep on disk. */
    storage: {
      filesBytes: settings.STORAGE_FILES_MB * MB,
      artifactsBytes: settings.STORAGE_ARTIFACTS_MB * MB,
      transfersBytes: settings.STORAGE_TRANSFERS_MB * MB,
      resultsBytes: settings.STORAGE_RESULTS_MB * MB,
      databaseBytes: settings.STORAGE_DATABASE_MB * MB,
      runsBytes: settings.STORAGE_RUNS_MB * MB,
      eventsBytes: settings.STORAGE_EVENTS_MB * MB,
      memoriesBytes: settings.STORAGE_MEMORIES_MB * MB,
      workflowsBytes: settings.STORAGE_WORKFLOWS_MB * MB,
    },
    /** Where files, artifacts and archives are kept. */
    blobs: blobsOf(settings),
    /** The endpoint behind managed agents; null where there is none. */
    model: settings.MODEL_BASE_URL
      ? {
          baseUrl: settings.MODEL_BASE_URL,
          /** Those that may be asked for; the first by default. */
          names: settings.MODEL_NAME ?? [],
          apiKey: settings.MODEL_API_KEY,
        }
      : null,
    /** How long a model may take to answer. */
    modelTimeoutSeconds: settings.MODEL_TIMEOUT_SECONDS,
    /** How apps that nobody has set up may ask for access. */
    oauth: {
      registration: settings.OAUTH_REGISTRATION === "open",
      documents: settings.OAUTH_DOCUMENTS === "on",
    },
    /** The mail server that carries invitations; null where there is none. */
    mail: settings.SMTP_URL ? { url: settings.SMTP_URL, from: defined(settings.MAIL_FROM) } : null,
    /** Whether the platform runs on its embedded parts. */
    sandbox,
    authSecrets: secrets.data.AUTH_SECRET,
    fingerprintSecrets: secrets.data.FINGERPRINT_SECRET,
    sealingKeys: secrets.data.SEALING_KEY,
    /** Wraps the keys of wallets. */
    vault: vaultOf(settings, given.VAULT_KEYS ? () => vaultKeys : keptVaultKeys(secretsFile)),
    /** The file that keeps the vault's own keys; null where they are given. */
    vaultKeysFile: given.VAULT_KEYS ? null : secretsFile,
    auditSigningKey: secrets.data.AUDIT_SIGNING_KEY,
    archiveSigningKey: secrets.data.ARCHIVE_SIGNING_KEY,
    receiptSigningKey: secrets.data.RECEIPT_SIGNING_KEY,
    /** Who is paid for credits and who settles it, where that is not the sandbox itself. */
    payments: { treasury: settings.TREASURY_ADDRESS ?? null, facilitator: settings.FACILITATOR_URL ?? null },
    /** Other installations whose database archives are imported. */
    trustedArchiveKeys: settings.TRUSTED_ARCHIVE_KEYS,
  };
}

export type Env = ReturnType<typeof readEnv>;
