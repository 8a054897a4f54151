/** A data key that a key-encryption key has wrapped. */
export interface WrappedKey {
  /** The id of the key-encryption key. */
  kekId: string;
  wrapped: Uint8Array;
}

/** Wraps the data keys of the vault: by keys of this installation, or by a key management service. */
export interface KeyEncryption {
  /** The id of the key that wraps now. */
  current(): string;
  /**
   * Wraps 32 bytes under the current key; `context` identifies their owner, so that they cannot be unwrapped for any
   * other.
   */
  wrap(dataKey: Uint8Array, context: string): Promise<WrappedKey>;
  /** Unwraps a key that any known key has wrapped. */
  unwrap(wrapped: WrappedKey, context: string): Promise<Uint8Array>;
}

/** A sealed value cannot be opened: its key is unknown here, or it belongs to another owner. */
export class VaultError extends Error {
  override name = "VaultError";
}

/** The key management service is unavailable or misbehaves. The message names the setting, for the caller. */
export class VaultUnavailable extends Error {
  override name = "VaultUnavailable";
}

/** Returns the id of a key of AWS KMS. */
export const kmsKeyId = (key: string) => `aws-kms:${key}`;
