import { pbkdf2Sync } from "node:crypto";
import { type LocalAccount, toHex } from "viem";
import { HDKey, privateKeyToAccount } from "viem/accounts";
import { defined } from "#server/defined.ts";

/** The accounts by which the sandbox's chains live. */
export interface SandboxAccounts {
  /** Deployed the contracts, mints the tokens, and gives them away. */
  faucet: LocalAccount;
  /** Settles payments by x402. */
  facilitator: LocalAccount;
  /** Fills what is deposited in the bridge; the bridge trusts its word on fills. */
  relayer: LocalAccount;
  /** Receives payments by x402. */
  treasury: LocalAccount;
}

/** Derives the sandbox's accounts, at the addresses that any wallet derives from the mnemonic too. */
export function sandboxAccounts(mnemonic: string): SandboxAccounts {
  // BIP-39's seed. It is slow on purpose, and slower in JavaScript, as viem makes it.
  const seed = pbkdf2Sync(mnemonic.normalize("NFKD"), "mnemonic", 2048, 64, "sha512");
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  const derive = (index: number) => privateKeyToAccount(toHex(defined(parent.deriveChild(index).privateKey)));
  return { faucet: derive(0), facilitator: derive(1), relayer: derive(2), treasury: derive(3) };
}
