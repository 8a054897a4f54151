import { type Address, isAddressEqual, parseEventLogs, type TransactionReceipt } from "viem";
import { erc20Abi, wrappedNativeAbi } from "#server/providers/chain/abi.ts";
import type { Asset, Fill } from "./venue.ts";

/**
 * Returns the amounts that a trade through the router moved: of tokens by their transfers, of the native asset by its
 * wrapping.
 */
export function readFill(
  { logs }: Pick<TransactionReceipt, "logs">,
  trade: { trader: Address; from: Asset; to: Asset; router: Address; wrappedNative: Address },
): Fill {
  const { trader, from, to, router, wrappedNative } = trade;
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs });
  const wrapped = logs.filter(({ address }) => isAddressEqual(address, wrappedNative));
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

  function moved(asset: Asset, side: "from" | "to"): bigint {
    if (asset !== "native")
      return sum(
        transfers
          .filter(({ address, args }) => isAddressEqual(address, asset) && isAddressEqual(args[side], trader))
          .map(({ args }) => args.value),
      );
    const events = parseEventLogs({ abi: wrappedNativeAbi, logs: wrapped });
    return sum(
      events.flatMap(({ eventName, args }) => {
        if (side === "from")
          return eventName === "Deposit" && isAddressEqual(args.dst, router) ? [args.wad] : [];
        return eventName === "Withdrawal" && isAddressEqual(args.src, router) ? [args.wad] : [];
      }),
    );
  }

  return { amountIn: moved(from, "from"), amountOut: moved(to, "to") };
}
