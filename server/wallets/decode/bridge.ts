import { isAddressEqual, zeroAddress } from "viem";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { Call, Effect } from "../effects.ts";
import { decodeWith, nothing } from "./function.ts";

/** Returns the effects of a bridge call on the wallet: a deposit is a transfer to the recipient on the other chain. */
export function decodeBridgeCall({ chain, from, to, value, data }: Call): Effect[] | null {
  const { bridge } = chain.contracts;
  if (!bridge || !isAddressEqual(to, bridge)) return null;
  const decoded = decodeWith(bridgeAbi, data);
  if (!decoded) return null;
  const { name, args, method } = decoded;
  if (name !== "deposit") return value === 0n ? [nothing(bridge, method)] : null;
  const [receiver, token, amount] = args;
  // Until the wallet itself receives it, the bridge holds the deposit.
  const recipient = isAddressEqual(receiver, from) ? bridge : receiver;
  const asset = isAddressEqual(token, zeroAddress) ? "native" : token;
  return [{ type: "transfer", asset, amount, recipient, contract: bridge, method }];
}
