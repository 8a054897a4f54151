import { pbkdf2Sync } from "node:crypto";
import { type LocalAccount, toHex } from "viem";
import { HDKey, privateKeyToAccount } from "viem/accounts";
import { defined } from "#server/base/defined.ts";

/** The accounts that operate the sandbox's chains. */
export interface SandboxAccounts {
  /** Deployed the contracts, mints tokens and gives them away. */
  faucet: LocalAccount;
  /** Settles payments by x402. */
  facilitator: LocalAccount;
  /** Fills the bridge's deposits; the bridge trusts its claims. */
  relayer: LocalAccount;
  /** Receives payments by x402. */
  treasury: LocalAccount;
}

/** Derives the sandbox's accounts at the same addresses as any wallet does from the mnemonic. */
export function sandboxAccounts(mnemonic: string): SandboxAccounts {
  // Returns BIP-39's seed. It is slow on purpose, and slower still in viem's JavaScript.
  const seed = pbkdf2Sync(mnemonic.normalize("NFKD"), "mnemonic", 2048, 64, "sha512");
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  const derive = (index: number) => privateKeyToAccount(toHex(defined(parent.deriveChild(index).privateKey)));
  return { faucet: derive(0), facilitator: derive(1), relayer: derive(2), treasury: derive(3) };
}
