import { hash } from "node:crypto";

/** Returns the key of a secret in the form of Standard Webhooks: the base64 after `whsec_`. */
export function standardKey(secret: string): HmacKey {
  return hmacKey(Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
}

/** Returns the headers by which a receiver verifies a request (Standard Webhooks), with a signature by each key. */
export function standardHeaders(
  keys: readonly HmacKey[],
  { id, body, seconds }: { id: string; body: string; seconds: number },
): Record<string, string> {
  const signatures = keys.map((key) => `v1,${hmac(key, `${id}.${seconds}.${body}`, "base64")}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}

/**
 * HMAC's two pads (RFC 2104), computed once per secret: `createHmac` creates a key object each time, which is the
 * slowest part.
 */
export interface HmacKey {
  inner: Buffer;
  outer: Buffer;
}

const BLOCK = 64;
const DIGEST = 32;

/** Prepares a key for `hmac`. */
export function hmacKey(key: Buffer): HmacKey {
  const short = key.length > BLOCK ? hash("sha256", key, "buffer") : key;
  const pad = (byte: number) => Buffer.alloc(BLOCK, byte).map((value, index) => value ^ (short[index] ?? 0));
  return { inner: Buffer.from(pad(0x36)), outer: Buffer.from(pad(0x5c)) };
}

// Payloads have at most 20 KB; the rest of the signed content is short.
let scratch = Buffer.alloc(32 * 1024);

/** Returns the HMAC-SHA256 of a text. */
export function hmac({ inner, outer }: HmacKey, text: string, encoding: "hex" | "base64"): string {
  if (scratch.length < BLOCK + 3 * text.length) scratch = Buffer.alloc(BLOCK + 3 * text.length);
  inner.copy(scratch);
  const end = BLOCK + scratch.write(text, BLOCK);
  const digest = hash("sha256", scratch.subarray(0, end), "buffer");
  outer.copy(scratch);
  digest.copy(scratch, BLOCK);
  return hash("sha256", scratch.subarray(0, BLOCK + DIGEST), encoding);
}
