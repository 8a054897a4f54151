import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { VaultError } from "./key-encryption.ts";

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM with `context` as additional data, laid out as nonce, ciphertext, tag. */
export function sealBytes(key: Uint8Array, context: string, plain: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

/** Opens what `sealBytes` sealed with the same key and context. */
export function openBytes(key: Uint8Array, context: string, sealed: Uint8Array): Uint8Array {
  if (sealed.length < NONCE + TAG) throw new VaultError("What is sealed is too short.");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG));
  try {
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]));
  } catch {
    throw new VaultError("What is sealed belongs to something else, or was altered.");
  }
}
