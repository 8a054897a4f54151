import { parseUnits } from "viem";
import type { VenueQuote } from "#server/providers/venue/venue.ts";
import { valueAt } from "./amounts.ts";
import type { Market } from "./markets.ts";
import type { OrderRow } from "./queries.ts";

/** A trade within the order's price. */
export interface Trade {
  /** The quantity of the base asset, in its smallest units. */
  quantity: bigint;
  quote: VenueQuote;
  /** The maximum that it pays, or the minimum that it receives. */
  limit: bigint;
}

type Terms = Pick<OrderRow, "side" | "quantity" | "filledQuantity" | "boundPrice" | "timeInForce">;

// A smaller part is not worth its network fee.
const SMALLEST_PART = 16n;

/** Returns the venue's quote for a quantity of the base asset; null if no route can fill it. */
export function quoteFor(
  { venue, base, counter }: Market,
  side: OrderRow["side"],
  quantity: bigint,
): Promise<VenueQuote | null> {
  return side === "buy"
    ? venue.quoteExactOut({ from: counter.asset, to: base.asset, amountOut: quantity })
    : venue.quoteExactIn({ from: base.asset, to: counter.asset, amountIn: quantity });
}

/**
 * Returns the largest part of an order that can be filled now at its price (all or nothing for `fok`); null if none
 * can.
 */
export async function planTrade(market: Market, order: Terms): Promise<Trade | null> {
  const whole = parseUnits(order.quantity, market.base.decimals);
  const rest = whole - parseUnits(order.filledQuantity, market.base.decimals);
  const all = await tryPart(market, order, rest);
  if (all || order.timeInForce === "fok") return all;
  let [filled, found]: [bigint, Trade | null] = [0n, null];
  for (let step = SMALLEST_PART / 2n; step > 0n; step /= 2n) {
    const quantity = (rest * (filled + step)) / SMALLEST_PART;
    if (quantity * SMALLEST_PART < whole) continue;
    const trade = await tryPart(market, order, quantity);
    if (trade) [filled, found] = [filled + step, trade];
  }
  return found;
}

async function tryPart(market: Market, { side, boundPrice }: Terms, quantity: bigint): Promise<Trade | null> {
  const limit = valueAt(market, quantity, boundPrice, side === "buy" ? "down" : "up");
  const quote = await quoteFor(market, side, quantity);
  if (!quote) return null;
  const crosses = side === "buy" ? quote.amountIn <= limit : quote.amountOut >= limit;
  return crosses ? { quantity, quote, limit } : null;
}
