import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const IV = 12;
const TAG = 16;

function keyFrom(secret: string | Uint8Array, context: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "managed-services/replay/v1", context, 32));
}

/**
 * Seals bytes under a key derived (HKDF-SHA256) from a secret that only the caller holds: AES-256-GCM, laid out as
 * nonce, ciphertext, tag. `context` names what is sealed, so that it opens nowhere else.
 */
export function sealFor(secret: string | Uint8Array, context: string, plain: Uint8Array): Uint8Array {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret, context), iv);
  cipher.setAAD(Buffer.from(context));
  return new Uint8Array(Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** Opens what `sealFor` sealed; null with another secret or context. */
export function openFor(secret: string | Uint8Array, context: string, sealed: Uint8Array): Uint8Array | null {
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
