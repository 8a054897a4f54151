import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const IV = 12;
const TAG = 16;

/** What keys are derived from: one secret, or several, newest first, of which the first seals and each may open. */
export type SealSecret = string | Uint8Array | readonly (string | Uint8Array)[];

function secretsOf(secret: SealSecret): readonly (string | Uint8Array)[] {
  return typeof secret === "string" || secret instanceof Uint8Array ? [secret] : secret;
}

function keyFrom(secret: string | Uint8Array, context: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "managed-services/replay/v1", context, 32));
}

/**
 * Seals bytes under a key derived (HKDF-SHA256) from a secret that only the caller holds: AES-256-GCM, laid out as
 * nonce, ciphertext, tag. `context` names what is sealed, so that it opens nowhere else.
 */
export function sealFor(secret: SealSecret, context: string, plain: Uint8Array): Uint8Array {
  const [newest] = secretsOf(secret);
  if (newest === undefined) throw new Error("There is no secret to seal under.");
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(newest, context), iv);
  cipher.setAAD(Buffer.from(context));
  return new Uint8Array(Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** Opens what `sealFor` sealed; null with other secrets or another context. */
export function openFor(secret: SealSecret, context: string, sealed: Uint8Array): Uint8Array | null {
  for (const one of secretsOf(secret)) {
    const plain = openWith(one, context, sealed);
    if (plain) return plain;
  }
  return null;
}

function openWith(secret: string | Uint8Array, context: string, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < IV + TAG) return null;
  const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret, context), sealed.subarray(0, IV));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG));
  try {
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(IV, -TAG)), decipher.final()]));
  } catch {
    return null;
  }
}
