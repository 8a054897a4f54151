import { type Address, isAddressEqual, zeroAddress } from "viem";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { Call, Effect } from "../effects.ts";
import { decodeWith, nothing } from "./function.ts";

/** What a call of the bridge does to the wallet: a deposit is spent, for the recipient on the other chain. */
export function decodeBridgeCall({ chain, from, to, value, data }: Call): Effect[] | null {
  const { bridge } = chain.contracts;
  if (!bridge || !isAddressEqual(to, bridge)) return null;
  const decoded = decodeWith(bridgeAbi, data);
  if (!decoded) return null;
  const { name, args, method } = decoded;
  if (name !== "deposit") return value === 0n ? [nothing(bridge, method)] : null;
  const [receiver, token, amount] = args as [Address, Address, bigint];
  // What comes back to the wallet itself is in the bridge's hands until then.
  const recipient = isAddressEqual(receiver, from) ? bridge : receiver;
  const asset = isAddressEqual(token, zeroAddress) ? "native" : token;
  return [{ type: "transfer", asset, amount, recipient, contract: bridge, method }];
}
