import { resolve } from "node:path";
import { isAddress } from "viem";
import { z } from "zod";
import { ChainsSetting } from "./chains-setting.ts";
import { Secrets } from "./secrets.ts";
import { httpUrl, isNetwork, list, number, origin, postgresUrl, text } from "./values.ts";

/** The second chain of the sandbox. */
export const OTHER_SANDBOX_CHAIN = 31_338;

const dollars = text.regex(/^\d{1,12}(\.\d{1,18})?$/, "must be an amount in USD, like 25 or 0.5.");
const megabytes = number(/^[1-9]\d{0,8}$/, "a number of MB from 1 to 999999999");

const port = number(/^\d+$/, "a number").refine((port) => port <= 65_535, "must be at most 65535.");

/** Returns a configured cluster for accounts' databases, by its own name or by host and port. */
function namedCluster(entry: string): { name: string; url: string } | null {
  const [, name, url = entry] = /^([\w.:-]{1,255})=(.*)$/.exec(entry) ?? [];
  if (!postgresUrl.safeParse(url).success || !URL.canParse(url)) return null;
  const { hostname, port } = new URL(url);
  return { name: name ?? `${hostname}:${port || "5432"}`, url };
}

/** Every variable that the platform reads, with its schema. */
export const Variables = z.object({
  PORT: port.default(3000),
  BASE_URL: origin("https://platform.example.com").optional(),
  API_ORIGIN: origin("https://api.example.com").optional(),
  CELL: text.regex(/^[0-9A-Za-z]{2}$/, "must be two letters or digits.").default("00"),
  DATA_DIR: text.default(".data").transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  BACKUP_DIR: text.transform((path) => resolve(path)).optional(),
  BACKUP_PASSPHRASE: text.min(16, "is too short; it must have at least 16 characters.").optional(),
  MANAGED_DATABASE_URLS: list(
    (entry) => namedCluster(entry) !== null,
    "must be clusters by commas, each as postgres://… or name=postgres://….",
  )
    .transform((entries) => entries.flatMap((entry) => namedCluster(entry) ?? []))
    .refine(
      (clusters) => new Set(clusters.map(({ name }) => name)).size === clusters.length,
      "names a cluster twice.",
    )
    .default([]),
  TRUSTED_ARCHIVE_KEYS: list(
    (entry) => Buffer.from(entry, "base64").length === 32,
    "must be public keys by commas, each base64 of 32 bytes.",
  ).default([]),
  COMMIT: text.regex(/^[\w.-]{1,100}$/, "must be the name of a commit.").optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: text.default("127.0.0.1"),
  METRICS_TOKEN: text.min(16, "is too short; it must have at least 16 characters.").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl("http://localhost:4318").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list(
    (entry) => /^[\w-]+=.+$/.test(entry),
    "must be headers by commas, each as name=value.",
  ).default([]),
  OTEL_TRACES_SAMPLER_ARG: text
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a part from 0 to 1, like 0.1.")
    .transform(Number)
    .default(0.1),
  OTEL_SERVICE_NAME: text.max(200).default("managed-services"),
  LOG_REQUESTS: z.enum(["yes", "no"], "must be yes or no.").default("no"),
  ROLE: z.enum(["web", "worker", "relayer", "all"], "must be web, worker, relayer or all.").default("all"),
  DRAIN_SECONDS: number(/^([0-9]|[12]\d|30)$/, "a number of seconds from 0 to 30").default(0),
  ENGINES_WAIT_SECONDS: number(/^\d{1,5}$/, "a number of seconds from 0 to 99999").default(60),
  TRUSTED_PROXIES: list(isNetwork, "must be addresses or networks by commas, like 10.0.0.0/8,::1.").default(
    [],
  ),
  SESSION_DAYS: number(/^[1-9]\d{0,2}$/, "a number of days from 1 to 999").default(30),
  SESSION_IDLE_DAYS: number(/^[1-9]\d{0,2}$/, "a number of days from 1 to 999").default(7),
  SIGNUP_CREDITS: number(/^\d{1,12}$/, "a whole number of credits").optional(),
  AUDIT_RETENTION_MONTHS: number(/^[1-9]\d{0,2}$/, "a number of months from 1 to 999").default(13),
  AUDIT_ARCHIVE_MONTHS: number(/^[1-9]\d{0,2}$/, "a number of months from 1 to 999").default(1),
  CHAINS: ChainsSetting.default([]),
  SANDBOX_CHAIN_ID: number(/^[1-9]\d{0,14}$/, "the number of a chain")
    .refine((id) => id !== OTHER_SANDBOX_CHAIN, `must not be ${OTHER_SANDBOX_CHAIN}, the second chain's.`)
    .default(31_337),
  MAX_NETWORK_FEE_USD: dollars.default("25"),
  DAILY_NETWORK_FEE_USD: dollars.default("100"),
  SERVICES_FILE: text.transform((path) => resolve(path)).optional(),
  STORAGE_FILES_MB: megabytes.default(20_480),
  STORAGE_ARTIFACTS_MB: megabytes.default(10_240),
  STORAGE_TRANSFERS_MB: megabytes.default(8192),
  STORAGE_RESULTS_MB: megabytes.default(1024),
  STORAGE_DATABASE_MB: megabytes.default(1024),
  STORAGE_RUNS_MB: megabytes.default(10_240),
  STORAGE_EVENTS_MB: megabytes.default(2048),
  STORAGE_MEMORIES_MB: megabytes.default(2048),
  STORAGE_WORKFLOWS_MB: megabytes.default(1024),
  BLOBS_URL: text
    .regex(
      /^https?:\/\/[^/?#@]+\/[^/?#]+[^?#]*$/,
      "must be like https://s3.eu-central-1.amazonaws.com/bucket.",
    )
    .refine(URL.canParse, "is not a valid address.")
    .optional(),
  BLOBS_SHARED_FOLDER: z.enum(["yes", "no"], "must be yes or no.").default("no"),
  BLOBS_REGION: text.default("us-east-1"),
  BLOBS_ACCESS_KEY_ID: text.optional(),
  BLOBS_SECRET_ACCESS_KEY: text.optional(),
  MODEL_BASE_URL: httpUrl("https://api.openai.com/v1").optional(),
  MODEL_NAME: list((name) => name !== "", "must be names of models by commas.").optional(),
  MODEL_API_KEY: text.optional(),
  MODEL_TIMEOUT_SECONDS: number(/^[1-9]\d{0,3}$/, "a number of seconds from 1 to 9999").default(120),
  SMTP_URL: text
    .regex(
      /^smtps?:\/\//,
      "must begin with smtp:// or smtps://, like smtps://user:password@mail.example.com.",
    )
    .refine(URL.canParse, "is not a valid address.")
    .optional(),
  MAIL_FROM: text
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, "must be an address, like Platform <platform@example.com>.")
    .optional(),
  OAUTH_REGISTRATION: z.enum(["open", "closed"], "must be open or closed.").default("open"),
  OAUTH_DOCUMENTS: z.enum(["on", "off"], "must be on or off.").default("on"),
  TREASURY_ADDRESS: text
    .refine((value) => isAddress(value), "is no address with a right EIP-55 checksum.")
    .optional(),
  FACILITATOR_URL: httpUrl("https://facilitator.example.com").optional(),
  VAULT_KMS_KEY: text
    .regex(
      /^arn:[\w-]+:kms:[\w-]+:\d+:key\/[\w-]+$/,
      "must be the ARN of a key: arn:aws:kms:REGION:ACCOUNT:key/ID.",
    )
    .optional(),
  VAULT_KMS_URL: httpUrl("https://kms.eu-central-1.amazonaws.com").optional(),
  VAULT_KMS_ACCESS_KEY_ID: text.optional(),
  VAULT_KMS_SECRET_ACCESS_KEY: text.optional(),
  ...Secrets.partial().shape,
});
