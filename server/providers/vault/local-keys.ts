import { createHash } from "node:crypto";
import { encrypt } from "#server/base/aes-gcm.ts";
import { type KeyEncryption, VaultError } from "./key-encryption.ts";
import { openBytes } from "./open-bytes.ts";

/** Returns the id of a key: a digest that does not reveal it. */
export function localKeyId(key: Uint8Array): string {
  return `local:${createHash("sha256").update("vault-key-id/v1").update(key).digest("hex").slice(0, 16)}`;
}

/**
 * Wraps under keys of this installation. `keys` is called each time, so that a running process follows a rotation: the
 * first key wraps, and all unwrap.
 */
export function localKeys(keys: () => readonly Uint8Array[]): KeyEncryption {
  const first = () => {
    const [key] = keys();
    if (!key) throw new VaultError("The vault has no key (VAULT_KEYS).");
    return key;
  };
  const bound = (kekId: string, context: string) => `${context}/${kekId}`;
  return {
    current: () => localKeyId(first()),
    async wrap(dataKey, context) {
      const key = first();
      const kekId = localKeyId(key);
      return { kekId, wrapped: encrypt(key, bound(kekId, context), dataKey) };
    },
    async unwrap({ kekId, wrapped }, context) {
      const key = keys().find((candidate) => localKeyId(candidate) === kekId);
      if (!key) throw new VaultError(`${kekId} is not among the keys of the vault (VAULT_KEYS).`);
      return openBytes(key, bound(kekId, context), wrapped);
    },
  };
}
