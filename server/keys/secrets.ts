import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = 43;
const CELL = 2;
/** The cell name of an installation with a single cell. */
export const FIRST_CELL = "00";
const CHECKSUM = 6;

/** API keys and credit tokens; for apps: access tokens, refresh tokens and client secrets. */
export type SecretPrefix = "svc_live_" | "svc_credit_" | "svc_oat_" | "svc_ort_" | "svc_ocs_";

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}

function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < CHECKSUM; rest = Math.floor(rest / 62))
    digits = BASE62.charAt(rest % 62) + digits;
  return digits;
}

/**
 * Returns a new secret: prefix; two characters of the cell, by which a proxy routes it without a look-up; 41 random
 * base62 characters; 6 characters of CRC-32 over everything before, by which mistyped secrets are refused without a
 * look-up and scanners match secrets. Secrets from before cells have random characters in the cell's place.
 */
export function newSecret(prefix: SecretPrefix, cell: string): string {
  const body = prefix + cell + randomText(BODY - CELL);
  return body + checksum(body);
}

/** Returns `length` base62 characters from 32 random bytes. */
export function randomText(length = BODY): string {
  return base62(BigInt(`0x${randomBytes(32).toString("hex")}`), length);
}

/** True if the text has the form and the checksum of a secret with this prefix. */
export function hasSecretForm(prefix: SecretPrefix, text: string): boolean {
  return (
    text.length === prefix.length + BODY + CHECKSUM &&
    text.startsWith(prefix) &&
    checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM)
  );
}

/** Returns the hash under which a secret is stored. */
export function secretHash(secret: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}
