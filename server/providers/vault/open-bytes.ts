import { decrypt } from "#server/base/aes-gcm.ts";
import { VaultError } from "./key-encryption.ts";

/** Decrypts bytes that were encrypted with the same key and context. */
export function openBytes(key: Uint8Array, context: string, encrypted: Uint8Array): Uint8Array {
  const plain = decrypt(key, context, encrypted);
  if (!plain) throw new VaultError("The sealed value belongs to something else, or was altered.");
  return plain;
}
