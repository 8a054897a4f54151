/** A data key that a key-encryption key has wrapped. */
export interface WrappedKey {
  /** Which key-encryption key. */
  kekId: string;
  wrapped: Uint8Array;
}

/** What wraps the data keys of the vault: keys of this installation, or a key management service. */
export interface KeyEncryption {
  /** The id of the key that wraps now. */
  current(): string;
  /** Wraps 32 bytes under the current key; `context` names what they belong to, so that they open for nothing else. */
  wrap(dataKey: Uint8Array, context: string): Promise<WrappedKey>;
  /** Opens what any key that is still known has wrapped. */
  unwrap(wrapped: WrappedKey, context: string): Promise<Uint8Array>;
}

/** Something sealed can't be opened: its key is unknown here, or it belongs to something else. */
export class VaultError extends Error {
  override name = "VaultError";
}

/** What wraps the keys does not answer, or not as it should. The message names the setting, for the caller to read. */
export class VaultUnavailable extends Error {
  override name = "VaultUnavailable";
}

/** Returns the id of a key of AWS KMS. */
export const kmsKeyId = (key: string) => `aws-kms:${key}`;
