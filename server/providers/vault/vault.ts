import { randomBytes } from "node:crypto";
import { encrypt } from "#server/base/aes-gcm.ts";
import type { KmsSettings } from "./aws-kms.ts";
import { type KeyEncryption, kmsKeyId, VaultError } from "./key-encryption.ts";
import { localKeys } from "./local-keys.ts";
import { openBytes } from "./open-bytes.ts";

export interface VaultSettings {
  /** The installation's own key-encryption keys, 32 bytes each; the first wraps, and all unwrap. */
  keys: () => readonly Uint8Array[];
  /** A key of a key management service that wraps instead; local keys still unwrap. */
  kms?: KmsSettings | null;
}

/** A secret as it is stored. */
export interface Sealed {
  /** The id of the key-encryption key that it depends on. */
  kekId: string;
  sealed: Uint8Array;
}

/** Seals secrets by envelope encryption: each under its own data key, which a key-encryption key wraps. */
export interface Vault {
  /** The id of the key-encryption key that new secrets are sealed under. */
  current(): string;
  /** Seals a secret; `context` identifies its owner, and it cannot be opened for any other. */
  seal(secret: Uint8Array, context: string): Promise<Sealed>;
  /** Opens a secret for `work` alone; its bytes are wiped afterwards. */
  use<Result>(
    stored: Sealed,
    context: string,
    work: (secret: Uint8Array) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Rewraps the data key under the current key-encryption key, without opening the secret. */
  rewrap(stored: Sealed, context: string): Promise<Sealed>;
}

const VERSION = 1;
const HEAD = 3;

/** Opens the vault that the settings describe; a key management service is called when it is needed. */
export function openVault({ keys, kms }: VaultSettings): Vault {
  const local = localKeys(keys);
  const keks = kms ? withKms(kms, local) : local;
  return {
    current: () => keks.current(),
    async seal(secret, context) {
      const dataKey = new Uint8Array(randomBytes(32));
      try {
        const { kekId, wrapped } = await keks.wrap(dataKey, context);
        return { kekId, sealed: join(wrapped, encrypt(dataKey, context, secret)) };
      } finally {
        dataKey.fill(0);
      }
    },
    async use({ kekId, sealed }, context, work) {
      const { wrapped, secret } = split(sealed);
      const dataKey = await keks.unwrap({ kekId, wrapped }, context);
      let opened: Uint8Array | undefined;
      try {
        opened = openBytes(dataKey, context, secret);
        return await work(opened);
      } finally {
        dataKey.fill(0);
        opened?.fill(0);
      }
    },
    async rewrap({ kekId, sealed }, context) {
      const { wrapped, secret } = split(sealed);
      const dataKey = await keks.unwrap({ kekId, wrapped }, context);
      try {
        const anew = await keks.wrap(dataKey, context);
        return { kekId: anew.kekId, sealed: join(anew.wrapped, secret) };
      } finally {
        dataKey.fill(0);
      }
    },
  };
}

/** Wraps by the service; local keys still unwrap their own. The service's adapter is loaded on first use. */
function withKms(settings: KmsSettings, local: KeyEncryption): KeyEncryption {
  let loading: Promise<KeyEncryption> | undefined;
  const service = () => {
    loading ??= import("./aws-kms.ts").then(({ awsKms }) => awsKms(settings));
    return loading;
  };
  const kekId = kmsKeyId(settings.key);
  return {
    current: () => kekId,
    wrap: async (dataKey, context) => (await service()).wrap(dataKey, context),
    unwrap: async (wrapped, context) =>
      wrapped.kekId === kekId ? (await service()).unwrap(wrapped, context) : local.unwrap(wrapped, context),
  };
}

/** A version, the length of the wrapped data key in two bytes, the wrapped data key, the sealed secret. */
function join(wrapped: Uint8Array, secret: Uint8Array): Uint8Array {
  const head = Uint8Array.of(VERSION, wrapped.length >> 8, wrapped.length & 255);
  return new Uint8Array(Buffer.concat([head, wrapped, secret]));
}

function split(sealed: Uint8Array) {
  const [version, high = 0, low = 0] = sealed;
  if (version !== VERSION) throw new VaultError(`The vault knows no format ${version}.`);
  const end = HEAD + high * 256 + low;
  return { wrapped: sealed.subarray(HEAD, end), secret: sealed.subarray(end) };
}
