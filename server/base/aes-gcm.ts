import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE = 12;
const TAG = 16;

/** Returns a nonce of 96 random bits. */
export const newNonce = (): Uint8Array => randomBytes(NONCE);

/** Encrypts by AES-256-GCM with `context` as additional data; the result is nonce, ciphertext, tag. */
export function encrypt(
  key: Uint8Array,
  context: string,
  plain: Uint8Array,
  nonce: Uint8Array = newNonce(),
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** Decrypts the result of `encrypt`; null for another key or context, and for altered or too few bytes. */
export function decrypt(key: Uint8Array, context: string, encrypted: Uint8Array): Uint8Array | null {
  if (encrypted.length < NONCE + TAG) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(encrypted.subarray(-TAG));
  try {
    return new Uint8Array(
      Buffer.concat([decipher.update(encrypted.subarray(NONCE, -TAG)), decipher.final()]),
    );
  } catch {
    return null;
  }
}
