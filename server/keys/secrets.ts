import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = 43;
const CELL = 2;
/** The cell of an installation that has no others. */
export const FIRST_CELL = "00";
const CHECKSUM = 6;

/** Keys, credit tokens, and of apps: access tokens, refresh tokens, client secrets. */
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
 * A new secret: prefix, the two characters of the cell that makes it, by which a proxy routes it without a look-up, 41
 * random characters of base62, 6 of CRC-32 over what stands before them, so that a mistyped one is refused without a
 * look-up and scanners can match it. Older secrets have random characters in the cell's place.
 */
export function newSecret(prefix: SecretPrefix, cell: string): string {
  const body = prefix + cell + randomText(BODY - CELL);
  return body + checksum(body);
}

/** So many characters of base62 from 32 random bytes. */
export function randomText(length = BODY): string {
  return base62(BigInt(`0x${randomBytes(32).toString("hex")}`), length);
}

/** Whether the text has the form and the checksum of a secret with this prefix. */
export function hasSecretForm(prefix: SecretPrefix, text: string): boolean {
  return (
    text.length === prefix.length + BODY + CHECKSUM &&
    text.startsWith(prefix) &&
    checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM)
  );
}

/** What is stored of a secret. */
export function secretHash(secret: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}
