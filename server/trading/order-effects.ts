import type { Address } from "viem";
import type { Effect } from "#server/wallets/effects.ts";
import { valueAt } from "./amounts.ts";
import type { Market } from "./markets.ts";
import type { OrderRow } from "./queries.ts";

const METHODS = {
  buy: "exactOutput((bytes,address,uint256,uint256,uint256))",
  sell: "exactInput((bytes,address,uint256,uint256,uint256))",
};

/**
 * Returns the asset and the maximum amount, in smallest units, that a quantity of the base asset takes from the wallet.
 */
export function costOf(
  market: Market,
  { side, boundPrice }: Pick<OrderRow, "side" | "boundPrice">,
  quantity: bigint,
): { asset: "native" | Address; decimals: number; amount: bigint } {
  const { base, counter } = market;
  if (side === "sell") return { asset: base.asset, decimals: base.decimals, amount: quantity };
  const amount = valueAt(market, quantity, boundPrice, "down");
  return { asset: counter.asset, decimals: counter.decimals, amount };
}

/**
 * Returns the effects of executing a quantity of an order, for the wallet's policy, as the venue's call alone would be
 * judged.
 */
export function effectsOf(
  market: Market,
  order: Pick<OrderRow, "side" | "boundPrice">,
  quantity: bigint,
): Effect[] {
  const { asset, amount } = costOf(market, order, quantity);
  const { spender } = market.venue;
  return [
    {
      type: "transfer",
      asset,
      amount,
      recipient: spender,
      contract: spender,
      method: METHODS[order.side],
    },
  ];
}
