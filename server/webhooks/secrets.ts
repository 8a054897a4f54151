import { hash, randomBytes } from "node:crypto";
import { openFor, type SealSecret, sealFor } from "#server/operation/seal.ts";

/** The webhook that a secret belongs to; the sealed secret cannot be opened for another. */
interface Owner {
  accountId: string;
  id: string;
}

/** Returns the sealing context of a secret. */
export const secretContext = ({ accountId, id }: Owner): string => `webhook-secret/${accountId}/${id}`;

/** Returns a new secret in the customer's form. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Seals a secret for storage. */
export function sealSecret(keys: SealSecret, owner: Owner, secret: string): Uint8Array {
  return sealFor(keys, secretContext(owner), new TextEncoder().encode(secret));
}

/** Opens the result of `sealSecret`. */
export function openSecret(keys: SealSecret, owner: Owner, sealed: Uint8Array): string {
  const plain = openFor(keys, secretContext(owner), sealed);
  if (!plain) throw new Error(`The secret of ${owner.id} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** The content that is signed. */
interface Signed {
  eventId: string;
  event: string;
  payload: string;
}

/** A secret prepared for both signature schemes. */
export interface SigningKey {
  whole: HmacKey;
  standard: HmacKey;
}

/** Prepares a secret: the platform's scheme uses the whole text, Standard Webhooks the base64 after `whsec_`. */
export function signingKey(secret: string): SigningKey {
  return {
    whole: hmacKey(Buffer.from(secret)),
    standard: hmacKey(Buffer.from(secret.slice("whsec_".length), "base64")),
  };
}

/** Returns the headers of one attempt, signed in both schemes with each active secret. */
export function signedHeaders(
  { eventId, event, payload }: Signed,
  keys: readonly SigningKey[],
  at: Date,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = keys.map(({ whole }) => `v1=${hmac(whole, `${seconds}.${payload}`, "hex")}`);
  const base64 = keys.map(
    ({ standard }) => `v1,${hmac(standard, `${eventId}.${seconds}.${payload}`, "base64")}`,
  );
  return {
    "x-service-event": event,
    "x-service-signature": [`t=${seconds}`, ...hex].join(","),
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": base64.join(" "),
  };
}

/**
 * HMAC's two pads (RFC 2104), computed once per secret: `createHmac` creates a key object each time, which is the
 * slowest part.
 */
interface HmacKey {
  inner: Buffer;
  outer: Buffer;
}

const BLOCK = 64;
const DIGEST = 32;

function hmacKey(key: Buffer): HmacKey {
  const short = key.length > BLOCK ? hash("sha256", key, "buffer") : key;
  const pad = (byte: number) => Buffer.alloc(BLOCK, byte).map((value, index) => value ^ (short[index] ?? 0));
  return { inner: Buffer.from(pad(0x36)), outer: Buffer.from(pad(0x5c)) };
}

// Payloads have at most 20 KB; the rest of the signed content is short.
let scratch = Buffer.alloc(32 * 1024);

function hmac({ inner, outer }: HmacKey, text: string, encoding: "hex" | "base64"): string {
  if (scratch.length < BLOCK + 3 * text.length) scratch = Buffer.alloc(BLOCK + 3 * text.length);
  inner.copy(scratch);
  const end = BLOCK + scratch.write(text, BLOCK);
  const digest = hash("sha256", scratch.subarray(0, end), "buffer");
  outer.copy(scratch);
  digest.copy(scratch, BLOCK);
  return hash("sha256", scratch.subarray(0, BLOCK + DIGEST), encoding);
}
