import { randomBytes } from "node:crypto";
import {
  bytesToHex,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type LocalAccount,
  type Signature,
  serializeSignature,
  serializeTransaction,
} from "viem";
import { publicKeyToAddress, toAccount } from "viem/accounts";
import type { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { callVault } from "./call-vault.ts";

type WalletRow = typeof wallets.$inferSelect;
type KeyOwner = Pick<WalletRow, "accountId" | "id"> & { address: Hex };

// libsecp256k1: it takes the same time for every key, and the key as bytes that can be wiped. Loaded by the first use.
const curve = () => import("tiny-secp256k1");

/** Returns the sealing context of a wallet's key, which cannot be opened for any other wallet. */
export function keyContext({ accountId, id, address }: KeyOwner): string {
  return `wallet-key/${accountId}/${id}/${address}`;
}

/** Draws a key, for `work` alone; its bytes are wiped afterwards. */
export async function withNewKey<Result>(work: (key: Uint8Array, address: Hex) => Promise<Result>) {
  const { isPrivate, pointFromScalar } = await curve();
  const key = new Uint8Array(32);
  try {
    do key.set(randomBytes(32));
    while (!isPrivate(key));
    return await work(key, publicKeyToAddress(bytesToHex(defined(pointFromScalar(key, false)))));
  } finally {
    key.fill(0);
  }
}

/** The wallet as an account of viem's. Its key is opened for each signature and wiped after it. */
export function signerOf(wallet: KeyOwner & Pick<WalletRow, "sealedKey" | "kekId">): LocalAccount {
  const { sealedKey: sealed, kekId } = wallet;

  async function signDigest(digest: Hex): Promise<Signature> {
    const { signRecoverable } = await curve();
    const sign = (key: Uint8Array) => signRecoverable(hexToBytes(digest), key);
    const { signature, recoveryId } = await callVault((vault) =>
      vault.use({ sealed, kekId }, keyContext(wallet), sign),
    );
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
    return { r: bytesToHex(r), s: bytesToHex(s), yParity: recoveryId % 2 };
  }

  return toAccount({
    address: wallet.address,
    signMessage: async ({ message }) => serializeSignature(await signDigest(hashMessage(message))),
    signTypedData: async (data) => serializeSignature(await signDigest(hashTypedData(data))),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const digest = keccak256(await serializer(transaction));
      return serializer(transaction, await signDigest(digest));
    },
  }) as LocalAccount;
}
