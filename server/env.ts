import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { type Address, isAddress } from "viem";
import { english, generateMnemonic } from "viem/accounts";
import { z } from "zod";
import { ChainsSetting } from "./env-chains.ts";
import { keptVaultKeys } from "./vault-keys.ts";

function isNetwork(value: string) {
  const [address = "", prefix, ...rest] = value.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
}

function decodeKey(value: string, ctx: z.RefinementCtx<string>) {
  const key = Buffer.from(value, "base64");
  if (key.length === 32) return key;
  ctx.addIssue(`is ${key.length} bytes of base64; it must be 32, as \`openssl rand -base64 32\` makes.`);
  return z.NEVER;
}

function decodeKeys(value: string, ctx: z.RefinementCtx<string>) {
  const keys = value.split(",").map((entry) => Buffer.from(entry.trim(), "base64"));
  if (keys.every((key) => key.length === 32)) return keys;
  ctx.addIssue("must be keys by commas, each base64 of 32 bytes, as `openssl rand -base64 32` makes.");
  return z.NEVER;
}

// What stands before the 32 bytes of a bare Ed25519 seed in its PKCS #8 form.
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

function readSigningKey(value: string, ctx: z.RefinementCtx<string>): KeyObject {
  const bytes = Buffer.from(value, "base64");
  try {
    const der = bytes.length === 32 ? Buffer.concat([ed25519Prefix, bytes]) : bytes;
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below, with what it should have been.
  }
  ctx.addIssue(
    "is no Ed25519 private key; it must be base64 of its PKCS #8 form (DER) or of its 32-byte seed.",
  );
  return z.NEVER;
}

const text = z.string().trim().min(1);
const postgresUrl = text
  .regex(/^postgres(ql)?:\/\//, "must begin with postgres://.")
  .refine(URL.canParse, "is not a valid address.");
const secret = text.min(32, "is too short; it must have at least 32 characters.");

const Secrets = z.object({
  AUTH_SECRET: secret,
  FINGERPRINT_SECRET: secret,
  SEALING_KEY: text.transform(decodeKey),
  VAULT_KEYS: text.transform(decodeKeys),
  AUDIT_SIGNING_KEY: text.transform(readSigningKey),
  ARCHIVE_SIGNING_KEY: text.transform(readSigningKey),
  RECEIPT_SIGNING_KEY: text.transform(readSigningKey),
  SANDBOX_MNEMONIC: text
    .regex(/^([a-z]+ ){11,23}[a-z]+$/, "must be 12 to 24 words with a space between them.")
    .optional(),
});

/** The second chain of the sandbox. */
const OTHER_SANDBOX_CHAIN = 31_338;

const Settings = z.object({
  PORT: text
    .regex(/^\d+$/, "must be a number.")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be at most 65535.")
    .default(3000),
  BASE_URL: text
    .refine(URL.canParse, "is not a valid address; write it like https://platform.example.com.")
    .transform((value) => new URL(value))
    .refine(({ protocol }) => /^https?:$/.test(protocol), "must begin with http:// or https://.")
    .refine(
      ({ pathname, search, hash, username }) => pathname === "/" && !search && !hash && !username,
      "must be an origin only: no path, query or user.",
    )
    .transform(({ origin }) => origin)
    .optional(),
  DATA_DIR: text.default(".data").transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  MANAGED_DATABASE_URLS: text
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every((entry) => /^postgres(ql)?:\/\//.test(entry) && URL.canParse(entry)),
      "must be addresses by commas, each beginning with postgres://.",
    )
    .default([]),
  TRUSTED_ARCHIVE_KEYS: text
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine(
      (keys) => keys.every((key) => Buffer.from(key, "base64").length === 32),
      "must be public keys by commas, each base64 of 32 bytes.",
    )
    .default([]),
  ROLE: z.enum(["web", "worker", "relayer", "all"], "must be web, worker, relayer or all.").default("all"),
  TRUSTED_PROXIES: text
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every(isNetwork),
      "must be addresses or networks by commas, like 10.0.0.0/8,::1.",
    )
    .default([]),
  SIGNUP_CREDITS: text
    .regex(/^\d{1,12}$/, "must be a whole number of credits.")
    .transform(Number)
    .optional(),
  AUDIT_RETENTION_MONTHS: text
    .regex(/^[1-9]\d{0,2}$/, "must be a number of months from 1 to 999.")
    .transform(Number)
    .default(13),
  CHAINS: ChainsSetting.default([]),
  SANDBOX_CHAIN_ID: text
    .regex(/^[1-9]\d{0,14}$/, "must be the number of a chain.")
    .transform(Number)
    .refine((id) => id !== OTHER_SANDBOX_CHAIN, `must not be ${OTHER_SANDBOX_CHAIN}, the second chain's.`)
    .default(31_337),
  SERVICES_FILE: text.transform((path) => resolve(path)).optional(),
  BLOBS_URL: text
    .regex(
      /^https?:\/\/[^/?#@]+\/[^/?#]+[^?#]*$/,
      "must be like https://s3.eu-central-1.amazonaws.com/bucket.",
    )
    .refine(URL.canParse, "is not a valid address.")
    .optional(),
  BLOBS_REGION: text.default("us-east-1"),
  BLOBS_ACCESS_KEY_ID: text.optional(),
  BLOBS_SECRET_ACCESS_KEY: text.optional(),
  MODEL_BASE_URL: text
    .regex(/^https?:\/\//, "must begin with http:// or https://, like https://api.openai.com/v1.")
    .refine(URL.canParse, "is not a valid address.")
    .transform((value) => value.replace(/\/+$/, ""))
    .optional(),
  MODEL_NAME: text
    .transform((value) => value.split(",").map((name) => name.trim()))
    .refine((names) => names.every((name) => name !== ""), "must be names of models by commas.")
    .optional(),
  MODEL_API_KEY: text.optional(),
  MODEL_TIMEOUT_SECONDS: text
    .regex(/^[1-9]\d{0,3}$/, "must be a number of seconds from 1 to 9999.")
    .transform(Number)
    .default(120),
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
  TREASURY_ADDRESS: text
    .refine((value) => isAddress(value), "is no address with a right EIP-55 checksum.")
    .transform((value) => value as Address)
    .optional(),
  FACILITATOR_URL: text
    .regex(/^https?:\/\//, "must begin with http:// or https://.")
    .refine(URL.canParse, "is not a valid address.")
    .transform((value) => value.replace(/\/+$/, ""))
    .optional(),
  VAULT_KMS_KEY: text
    .regex(
      /^arn:[\w-]+:kms:[\w-]+:\d+:key\/[\w-]+$/,
      "must be the ARN of a key: arn:aws:kms:REGION:ACCOUNT:key/ID.",
    )
    .optional(),
  VAULT_KMS_URL: text
    .regex(/^https?:\/\//, "must begin with http:// or https://.")
    .refine(URL.canParse, "is not a valid address.")
    .optional(),
  VAULT_KMS_ACCESS_KEY_ID: text.optional(),
  VAULT_KMS_SECRET_ACCESS_KEY: text.optional(),
  ...Secrets.partial().shape,
});

/** Every variable that the platform reads. */
export const variables = Object.keys(Settings.shape);

type SecretName = keyof typeof Secrets.shape;
const secretNames = Object.keys(Secrets.shape) as SecretName[];

const SecretsFile = z.record(z.string(), z.string());

function readSecretsFile(file: string) {
  try {
    return SecretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read as JSON; restore it, or what was sealed with its keys is lost.`, {
      cause,
    });
  }
}

function makeSecret(name: SecretName): string {
  return name === "SANDBOX_MNEMONIC" ? generateMnemonic(english) : randomBytes(32).toString("base64");
}

/** The secrets of the data folder; those that are not there yet are made now and kept for good. */
function keptSecrets(dataDir: string): Record<SecretName, string> {
  const file = join(dataDir, "secrets.json");
  const kept = readSecretsFile(file);
  const missing = secretNames.filter((name) => !kept?.[name]);
  if (kept && missing.length === 0) return kept as Record<SecretName, string>;
  const made = missing.map((name) => [name, makeSecret(name)]);
  const draft = `${file}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, JSON.stringify({ ...kept, ...Object.fromEntries(made) }, null, 2), { mode: 0o600 });
  try {
    // Of two first starts at once, the one whose link comes first decides for both.
    if (kept) renameSync(draft, file);
    else linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return keptSecrets(dataDir);
}

/** The bucket that BLOBS_URL names, else the data folder's own blobs. */
function blobsOf(settings: z.output<typeof Settings>) {
  const { BLOBS_URL: url, BLOBS_REGION: region, DATA_DIR } = settings;
  if (!url) return { folder: join(DATA_DIR, "blobs") };
  const accessKeyId = settings.BLOBS_ACCESS_KEY_ID as string;
  return { url, region, accessKeyId, secretAccessKey: settings.BLOBS_SECRET_ACCESS_KEY as string };
}

/** What wraps the keys of wallets: a key of AWS KMS where one is named, else keys of this installation. */
function vaultOf(settings: z.output<typeof Settings>, keys: () => readonly Uint8Array[]) {
  const { VAULT_KMS_KEY: key, VAULT_KMS_URL: url } = settings;
  const accessKeyId = settings.VAULT_KMS_ACCESS_KEY_ID as string;
  const secretAccessKey = settings.VAULT_KMS_SECRET_ACCESS_KEY as string;
  return { keys, kms: key ? { key, url, accessKeyId, secretAccessKey } : null };
}

/** Every fault of the settings, for a person to read. */
export class SettingsError extends Error {
  constructor(problems: string[]) {
    const count = problems.length === 1 ? "a fault" : `${problems.length} faults`;
    super(`The settings have ${count}:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
    this.name = "SettingsError";
  }
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
  const read = Settings.safeParse(given);
  const embeddedChains = !given.DATABASE_URL && !given.CHAINS;
  const needed = secretNames.filter((name) => name !== "SANDBOX_MNEMONIC" || embeddedChains);
  const absent = needed.filter((name) => !given[name]);
  const required = given.NODE_ENV === "production" && given.DATABASE_URL ? absent : [];
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(given.DATABASE_DIRECT_URL && !given.DATABASE_URL
      ? ["DATABASE_DIRECT_URL needs DATABASE_URL beside it."]
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
    ...required.map((name) => `${name} is missing; with DATABASE_URL every process needs the same one.`),
  ];
  if (!read.success || problems.length > 0) throw new SettingsError(problems);
  const settings = read.data;
  const secrets = Secrets.safeParse({ ...(absent.length > 0 && keptSecrets(settings.DATA_DIR)), ...given });
  if (!secrets.success) throw new SettingsError(problemsOf(secrets.error));
  const sandbox = settings.DATABASE_URL === undefined;
  const secretsFile = join(settings.DATA_DIR, "secrets.json");
  const { VAULT_KEYS: vaultKeys } = secrets.data;
  return {
    port: settings.PORT,
    /** The platform's origin, without a slash at its end. */
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    /** Past any transaction pooler: for LISTEN, advisory locks, migrations and the worker. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /** Clusters for accounts' databases; none: an embedded one in the sandbox, else managed databases answer 503. */
    managedDatabaseUrls: settings.MANAGED_DATABASE_URLS,
    role: settings.ROLE,
    trustedProxies: settings.TRUSTED_PROXIES,
    signupCredits: settings.SIGNUP_CREDITS ?? (sandbox ? 10_000 : 0),
    auditRetentionMonths: settings.AUDIT_RETENTION_MONTHS,
    /** The chains behind wallets, swaps and trading; none: two embedded ones in the sandbox, else those answer 503. */
    chains: settings.CHAINS,
    /** The embedded chains by EIP-155 numbers; none beside configured ones, or beside a database of one's own. */
    sandboxChainIds: embeddedChains ? [settings.SANDBOX_CHAIN_ID, OTHER_SANDBOX_CHAIN] : [],
    /** What the accounts of the embedded chains are derived from. */
    sandboxMnemonic: (embeddedChains && secrets.data.SANDBOX_MNEMONIC) || null,
    /** The manifest of the operator's own services. */
    servicesFile: settings.SERVICES_FILE,
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
    /** The mail server that carries invitations; null where there is none. */
    mail: settings.SMTP_URL ? { url: settings.SMTP_URL, from: settings.MAIL_FROM as string } : null,
    /** Whether the platform runs on its embedded parts. */
    sandbox,
    authSecret: secrets.data.AUTH_SECRET,
    fingerprintSecret: secrets.data.FINGERPRINT_SECRET,
    sealingKey: secrets.data.SEALING_KEY,
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
