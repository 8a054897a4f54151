import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { english, generateMnemonic } from "viem/accounts";
import { z } from "zod";
import { keysOf } from "#server/base/keys-of.ts";
import { codeOf } from "#server/base/thrown.ts";
import type { Several } from "../platform.ts";
import { list, text } from "./values.ts";

function decodeKey(value: string, ctx: z.RefinementCtx<string>) {
  const key = Buffer.from(value, "base64");
  if (key.length === 32) return key;
  ctx.addIssue(`is ${key.length} bytes of base64; it must be 32, as \`openssl rand -base64 32\` makes.`);
  return z.NEVER;
}

/**
 * Returns the schema of one or several values separated by commas, newest first, so that a secret can be rotated while
 * values made with older ones stay valid.
 */
function several<Value>(one: z.ZodType<Value, string>) {
  return text.transform((value, ctx) => {
    const values = value.split(",").flatMap((entry) => {
      const read = one.safeParse(entry.trim());
      for (const { message } of read.error?.issues ?? []) ctx.addIssue(message);
      return read.success ? [read.data] : [];
    });
    return values as unknown as Several<Value>;
  });
}

// The PKCS #8 prefix of a raw 32-byte Ed25519 seed.
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

function readSigningKey(value: string, ctx: z.RefinementCtx<string>): KeyObject {
  const bytes = Buffer.from(value, "base64");
  try {
    const der = bytes.length === 32 ? Buffer.concat([ed25519Prefix, bytes]) : bytes;
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Reported below, with the expected form.
  }
  ctx.addIssue(
    "is no Ed25519 private key; it must be base64 of its PKCS #8 form (DER) or of its 32-byte seed.",
  );
  return z.NEVER;
}

const secret = text.min(32, "is too short; it must have at least 32 characters.");

/** The secrets of the installation. */
export const Secrets = z.object({
  AUTH_SECRET: several(secret),
  FINGERPRINT_SECRET: several(secret),
  SEALING_KEY: several(text.transform(decodeKey)),
  VAULT_KEYS: list(
    (entry) => Buffer.from(entry, "base64").length === 32,
    "must be keys by commas, each base64 of 32 bytes, as `openssl rand -base64 32` makes.",
  ).transform((entries) => entries.map((entry) => Buffer.from(entry, "base64"))),
  AUDIT_SIGNING_KEY: text.transform(readSigningKey),
  ARCHIVE_SIGNING_KEY: text.transform(readSigningKey),
  RECEIPT_SIGNING_KEY: text.transform(readSigningKey),
  SANDBOX_MNEMONIC: text
    .regex(/^([a-z]+ ){11,23}[a-z]+$/, "must be 12 to 24 words with a space between them.")
    .optional(),
});

export type SecretName = keyof typeof Secrets.shape;
export const secretNames = keysOf(Secrets.shape);

/** Returns the path of the secrets file. */
export const secretsFileOf = (dataDir: string) => join(dataDir, "secrets.json");

const SecretsFile = z.record(z.string(), z.string());

function readSecretsFile(file: string) {
  try {
    return SecretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new Error(
      `${file} cannot be read as JSON; restore it; otherwise all data encrypted with its keys is lost.`,
      {
        cause,
      },
    );
  }
}

function makeSecret(name: SecretName): string {
  return name === "SANDBOX_MNEMONIC" ? generateMnemonic(english) : randomBytes(32).toString("base64");
}

/** Returns the secrets of the data folder; creates and stores missing ones. */
export function loadSecrets(dataDir: string): Record<SecretName, string> {
  const file = secretsFileOf(dataDir);
  const kept = readSecretsFile(file);
  const missing = secretNames.filter((name) => !kept?.[name]);
  if (kept && missing.length === 0) return kept as Record<SecretName, string>;
  const made = missing.map((name) => [name, makeSecret(name)]);
  const draft = `${file}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, JSON.stringify({ ...kept, ...Object.fromEntries(made) }, null, 2), { mode: 0o600 });
  try {
    // If two processes start for the first time at once, the first link decides for both.
    if (kept) renameSync(draft, file);
    else linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return loadSecrets(dataDir);
}
