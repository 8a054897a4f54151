import { createHmac, hkdfSync } from "node:crypto";
import { decrypt, encrypt, newNonce } from "#server/base/aes-gcm.ts";
import { defined } from "#server/base/defined.ts";

/**
 * The secret that sealing keys are derived from, or several, newest first: the first seals, each may open.
 */
export type SealSecret = string | Uint8Array | readonly (string | Uint8Array)[];

function secretsOf(secret: SealSecret): readonly (string | Uint8Array)[] {
  return typeof secret === "string" || secret instanceof Uint8Array ? [secret] : secret;
}

function keyFrom(secret: string | Uint8Array, context: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "managed-services/replay/v1", context, 32));
}

/**
 * Returns the number of a secret, from 0 to 255, which values sealed under it begin with. It tells secrets of one list
 * apart, such as those of cells, but two may have the same.
 */
export function keyNumber(secret: string | Uint8Array): number {
  return defined(
    new Uint8Array(hkdfSync("sha256", secret, "managed-services/replay/v1", "key number", 1))[0],
  );
}

/**
 * Seals bytes with AES-256-GCM under a key derived (HKDF-SHA256) from the secret; the result is nonce,
 * ciphertext, tag. The nonce is the secret's number and 88 random bits, so that releases which know no numbers open it.
 * `context` identifies the content, so that it cannot be opened as anything else.
 */
export function sealFor(secret: SealSecret, context: string, plain: Uint8Array): Uint8Array {
  const [newest] = secretsOf(secret);
  if (newest === undefined) throw new Error("There is no secret to seal under.");
  const nonce = newNonce();
  nonce[0] = keyNumber(newest);
  return encrypt(keyFrom(newest, context), context, plain, nonce);
}

/** Opens the result of `sealFor`; null for another secret or another context. */
export function openFor(secret: SealSecret, context: string, sealed: Uint8Array): Uint8Array | null {
  for (const one of byNumber(secretsOf(secret), sealed[0])) {
    const plain = decrypt(keyFrom(one, context), context, sealed);
    if (plain) return plain;
  }
  return null;
}

/** Returns the secrets with this number first. The others follow: values sealed before there were numbers begin with any. */
function byNumber(secrets: readonly (string | Uint8Array)[], number: number | undefined) {
  if (secrets.length < 2) return secrets;
  const named = secrets.filter((secret) => keyNumber(secret) === number);
  return [...named, ...secrets.filter((secret) => !named.includes(secret))];
}

/** Returns an HMAC of a text under a key that is derived for `context`: texts are compared by it without being shown. */
export function fingerprintUnder(secret: Uint8Array, context: string, text: string): string {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", context, 32));
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 16);
}
