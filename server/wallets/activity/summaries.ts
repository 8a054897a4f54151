import type { swaps } from "#db/schema/swaps.ts";
import type { orders } from "#db/schema/trading.ts";
import { platform } from "#server/platform.ts";

/** Returns an asset's symbol; its address if the operator does not list it. */
function symbolOf(network: string, asset: string): string {
  const tokens = platform().chains.find(network)?.tokens ?? [];
  return tokens.find((token) => token.asset === asset)?.symbol ?? asset;
}

/** Returns a numeric column's text without trailing zeros. */
const plain = (amount: string) => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount);

/** Describes the past or future effect of a swap. */
export function swapSummary({ status, from, to, received }: typeof swaps.$inferSelect): string {
  const paid = `${from.amount} ${symbolOf(from.network, from.asset)}`;
  const symbol = symbolOf(to.network, to.asset);
  const place =
    from.network === to.network ? "" : ` on ${platform().chains.find(to.network)?.name ?? to.network}`;
  if (status === "completed") return `Swapped ${paid} for ${received ?? to.expected} ${symbol}${place}`;
  if (status === "refunded") return `Swap of ${paid} for ${symbol}${place}, refunded`;
  return `Swap ${paid} for about ${to.expected} ${symbol}${place}`;
}

/** Describes the past or future trades of an order. */
export function orderSummary(order: typeof orders.$inferSelect): string {
  const { side, network, base, counter, quantity, filledQuantity, filledValue } = order;
  const symbol = symbolOf(network, base);
  const [all, filled] = [plain(quantity), plain(filledQuantity)];
  if (filled === "0") return `${side === "buy" ? "Buy" : "Sell"} ${all} ${symbol} (order)`;
  const part = filled === all ? "" : ` of ${all}`;
  const worth = `${plain(filledValue)} ${symbolOf(network, counter)}`;
  return `${side === "buy" ? "Bought" : "Sold"} ${filled}${part} ${symbol} for ${worth} (order)`;
}
