import type { Address, Hex } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";

/** An effect of a call or a signature on its wallet. */
export interface Effect {
  /** `call`: it moves nothing of the wallet's. `unknown`: it can't be decoded. */
  type: "transfer" | "allowance" | "call" | "unknown";
  asset: "native" | Address | null;
  /** In the asset's smallest units. */
  amount: bigint | "unlimited";
  /** The recipient or spender. */
  recipient: Address | null;
  /** The contract that is called, or that verifies the signature. */
  contract: Address | null;
  /** The function's signature, its selector where it is unknown, or the primary type of typed data. */
  method: string | null;
}

/** A call as it would be sent. */
export interface Call {
  chain: Pick<Chain, "contracts" | "tokens">;
  from: Address;
  to: Address;
  /** In wei. */
  value: bigint;
  data: Hex;
}
