import type { Address, Hex } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";
import { decodeBridgeCall } from "./decode/bridge.ts";
import { undecoded } from "./decode/function.ts";
import { decodeRouterCall } from "./decode/router.ts";
import { decodeTokenCall } from "./decode/token.ts";
import { describeEffects } from "./describe-effects.ts";

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

/** Returns the effects of a call, as far as its bytes show them, and their description. Calls no chain. */
export function decodeCall(call: Call): { effects: Effect[]; description: string } {
  const effects = effectsOf(call);
  return { effects, description: describeEffects(effects, call.chain.tokens) };
}

function effectsOf(call: Call): Effect[] {
  const { to, value, data } = call;
  const sent: Effect = {
    type: "transfer",
    asset: "native",
    amount: value,
    recipient: to,
    contract: null,
    method: null,
  };
  if (data === "0x") return [sent];
  const decoded = decodeRouterCall(call) ?? decodeBridgeCall(call) ?? decodeTokenCall(call);
  if (decoded) return decoded;
  const unknown = undecoded(to, data);
  return value > 0n ? [sent, unknown] : [unknown];
}
