import { join } from "node:path";
import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { releaseOf } from "./release.ts";
import { loadSecrets, Secrets, secretNames, secretsFileOf } from "./secrets.ts";
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

/** The address of the metrics endpoint. */
export interface MetricsSettings {
  port: number;
  host: string;
  /** The scrapers' bearer token; null: none is needed. */
  token: string | null;
}

function metricsOf(settings: z.output<typeof Variables>): MetricsSettings | null {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token = null } = settings;
  return port === undefined ? null : { port, host, token };
}

/** The receiver of traces. */
export interface TraceSettings {
  /** An OTLP receiver over HTTP, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  /** The fraction of traces that is recorded, from 0 to 1. */
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

/** Returns the keys that wrap wallets' keys: a key of AWS KMS if one is named, else keys of this installation. */
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

/** The variables that are set. */
type Given = Record<string, string | undefined>;

const isProduction = ({ NODE_ENV }: Given) => NODE_ENV === "production";
const embedsChains = ({ DATABASE_URL, CHAINS }: Given) => !DATABASE_URL && !CHAINS;
/** True if several processes may serve the installation, each with its own environment. */
const isShared = (given: Given) => isProduction(given) && Boolean(given.DATABASE_URL);

/** Returns the faults of variables that are set without others, or beside others. */
function conflictsOf(given: Given): string[] {
  const rules: [isFault: unknown, message: string][] = [
    [given.DATABASE_REPLICA_URL && !given.DATABASE_URL, "DATABASE_REPLICA_URL needs DATABASE_URL beside it."],
    [given.DATABASE_DIRECT_URL && !given.DATABASE_URL, "DATABASE_DIRECT_URL needs DATABASE_URL beside it."],
    [
      given.BACKUP_DIR && given.DATABASE_URL,
      "BACKUP_DIR keeps the embedded PostgreSQL's log; with DATABASE_URL that is your own PostgreSQL's to do.",
    ],
    [
      given.BLOBS_URL && !(given.BLOBS_ACCESS_KEY_ID && given.BLOBS_SECRET_ACCESS_KEY),
      "BLOBS_URL needs BLOBS_ACCESS_KEY_ID and BLOBS_SECRET_ACCESS_KEY beside it.",
    ],
    [
      given.VAULT_KMS_KEY && !(given.VAULT_KMS_ACCESS_KEY_ID && given.VAULT_KMS_SECRET_ACCESS_KEY),
      "VAULT_KMS_KEY needs VAULT_KMS_ACCESS_KEY_ID and VAULT_KMS_SECRET_ACCESS_KEY beside it.",
    ],
    [given.SMTP_URL && !given.MAIL_FROM, "SMTP_URL needs MAIL_FROM beside it."],
    [given.MODEL_BASE_URL && !given.MODEL_NAME, "MODEL_BASE_URL needs MODEL_NAME beside it."],
    [
      given.ROLE === "relayer" && !embedsChains(given),
      "ROLE is relayer, which serves the bridge of the embedded chains; there is none beside CHAINS or DATABASE_URL.",
    ],
    [
      isShared(given) && !given.BLOBS_URL && given.BLOBS_SHARED_FOLDER !== "yes",
      "BLOBS_URL is missing; with DATABASE_URL every process needs the same files. Set it, or BLOBS_SHARED_FOLDER=yes where the folder blobs of DATA_DIR is one for all of them.",
    ],
  ];
  return rules.flatMap(([isFault, message]) => (isFault ? [message] : []));
}

/**
 * Reads and validates the settings; names every fault at once. Missing secrets are created and stored in the data
 * folder, except in production with DATABASE_URL, where every process must be given the same ones.
 */
export function readEnv(source: Given = process.env) {
  const given: Given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const read = Variables.safeParse(given);
  const needed = secretNames.filter((name) => name !== "SANDBOX_MNEMONIC" || embedsChains(given));
  const absent = needed.filter((name) => !given[name]);
  const required = isShared(given) ? absent : [];
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...conflictsOf(given),
    ...required.map((name) => `${name} is missing; with DATABASE_URL every process needs the same one.`),
  ];
  if (!read.success || problems.length > 0) throw new SettingsError(problems);
  const kept = absent.length > 0 && loadSecrets(read.data.DATA_DIR);
  const secrets = Secrets.safeParse({ ...kept, ...given });
  if (!secrets.success) throw new SettingsError(problemsOf(secrets.error));
  return settingsFrom(read.data, secrets.data, given);
}

/** Returns the settings under the names by which the platform reads them, with what follows from others. */
function settingsFrom(settings: z.output<typeof Variables>, secrets: z.output<typeof Secrets>, given: Given) {
  const embeddedChains = embedsChains(given);
  const sandbox = settings.DATABASE_URL === undefined;
  const secretsFile = secretsFileOf(settings.DATA_DIR);
  return {
    /** True to serve the production build; false to serve the sources as they are edited. */
    production: isProduction(given),
    port: settings.PORT,
    /** The platform's origin, without a slash at its end. */
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    /** The API's origin in documents and samples; BASE_URL by default. */
    apiOrigin: settings.API_ORIGIN,
    dataDir: settings.DATA_DIR,
    /** The two characters by which new secrets name this installation among the cells behind one address. */
    cell: settings.CELL,
    release: releaseOf(settings.COMMIT),
    databaseUrl: settings.DATABASE_URL,
    /** Past any transaction pooler: for LISTEN, advisory locks, migrations and the worker. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /** A standby from which the console reads audit events and usage; without one, the primary. */
    replicaUrl: settings.DATABASE_REPLICA_URL,
    /** The folder for continuous backups of the embedded databases; without it, only `npm run backup` makes copies. */
    backupDir: settings.BACKUP_DIR,
    /** Seals the secrets in backups. */
    backupPassphrase: settings.BACKUP_PASSPHRASE,
    /**
     * Clusters for accounts' databases; without any: an embedded one in the sandbox, else managed databases respond
     * 503.
     */
    managedDatabases: settings.MANAGED_DATABASE_URLS,
    /** How long the embedded databases and chains of a killed process wait for the next one. */
    enginesWaitSeconds: settings.ENGINES_WAIT_SECONDS,
    /** Null: no metrics. */
    metrics: metricsOf(settings),
    /** Null: no traces. */
    traces: tracesOf(settings),
    /** Whether each call is logged. */
    logsRequests: settings.LOG_REQUESTS === "yes",
    role: settings.ROLE,
    /** How long a stopping web process still responds, so that load balancers send calls elsewhere first. */
    drainSeconds: settings.ROLE === "web" ? settings.DRAIN_SECONDS : 0,
    trustedProxies: settings.TRUSTED_PROXIES,
    /** The maximum lifetime of a console session, and its lifetime without use. */
    sessions: {
      lastSeconds: settings.SESSION_DAYS * DAY_SECONDS,
      idleSeconds: settings.SESSION_IDLE_DAYS * DAY_SECONDS,
    },
    signupCredits: settings.SIGNUP_CREDITS ?? (sandbox ? 10_000 : 0),
    auditRetentionMonths: settings.AUDIT_RETENTION_MONTHS,
    auditArchiveMonths: settings.AUDIT_ARCHIVE_MONTHS,
    /**
     * The chains for wallets, swaps and trading; without any: two embedded ones in the sandbox, else those respond 503.
     */
    chains: settings.CHAINS,
    /** The EIP-155 ids of the embedded chains; none with CHAINS or DATABASE_URL. */
    sandboxChainIds: embeddedChains ? [settings.SANDBOX_CHAIN_ID, OTHER_SANDBOX_CHAIN] : [],
    /** The mnemonic of the embedded chains' accounts. */
    sandboxMnemonic: (embeddedChains && secrets.SANDBOX_MNEMONIC) || null,
    /** The limits of network fees for wallets whose policy sets none. */
    networkFees: {
      maxNetworkFeeUsd: settings.MAX_NETWORK_FEE_USD,
      dailyNetworkFeeUsd: settings.DAILY_NETWORK_FEE_USD,
    },
    /** The manifest of the operator's own services. */
    servicesFile: settings.SERVICES_FILE,
    /** The storage budgets of each account. */
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
    /** The storage for files, artifacts and archives. */
    blobs: blobsOf(settings),
    /** The endpoint for managed agents; null: none. */
    model: settings.MODEL_BASE_URL
      ? {
          baseUrl: settings.MODEL_BASE_URL,
          /** The models that may be requested; the first by default. */
          names: settings.MODEL_NAME ?? [],
          apiKey: settings.MODEL_API_KEY,
        }
      : null,
    /** The response timeout of a model. */
    modelTimeoutSeconds: settings.MODEL_TIMEOUT_SECONDS,
    /** How unregistered apps may ask for access. */
    oauth: {
      registration: settings.OAUTH_REGISTRATION === "open",
      documents: settings.OAUTH_DOCUMENTS === "on",
    },
    /** The mail server; null: none. */
    mail: settings.SMTP_URL ? { url: settings.SMTP_URL, from: defined(settings.MAIL_FROM) } : null,
    /** True if the embedded database is in use. */
    sandbox,
    authSecrets: secrets.AUTH_SECRET,
    fingerprintSecrets: secrets.FINGERPRINT_SECRET,
    sealingKeys: secrets.SEALING_KEY,
    /** Wraps the keys of wallets. */
    vault: vaultOf(settings, given.VAULT_KEYS ? () => secrets.VAULT_KEYS : keptVaultKeys(secretsFile)),
    /** The file with the vault's own keys; null if VAULT_KEYS is set. */
    vaultKeysFile: given.VAULT_KEYS ? null : secretsFile,
    auditSigningKey: secrets.AUDIT_SIGNING_KEY,
    archiveSigningKey: secrets.ARCHIVE_SIGNING_KEY,
    receiptSigningKey: secrets.RECEIPT_SIGNING_KEY,
    /** The recipient and the facilitator of payments for credits; null: the sandbox's own. */
    payments: { treasury: settings.TREASURY_ADDRESS ?? null, facilitator: settings.FACILITATOR_URL ?? null },
    /** Public keys of other installations whose database archives may be imported. */
    trustedArchiveKeys: settings.TRUSTED_ARCHIVE_KEYS,
  };
}

export type Env = ReturnType<typeof readEnv>;
