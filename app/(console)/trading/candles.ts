import type { Point } from "#components/chart/series.ts";

const MINUTES = 5;

export type Candle = Point<"open" | "high" | "low" | "close">;

/** The first, highest, lowest and last price of each five minutes that have one; the oldest first. */
export function candlesOf(prices: readonly { at: string; priceUsd: string }[]): Candle[] {
  const size = MINUTES * 60_000;
  const groups = Map.groupBy(prices, ({ at }) => Math.floor(Date.parse(at) / size) * size);
  return [...groups].map(([from, group]) => {
    // Only what is drawn are floats.
    const values = group.map(({ priceUsd }) => Number(priceUsd));
    const [open = 0, close = 0] = [values[0], values.at(-1)];
    return {
      at: new Date(from).toISOString(),
      open,
      high: Math.max(...values),
      low: Math.min(...values),
      close,
    };
  });
}

/**
 * The limits of open orders that are drawn with the prices, and how many stand too far from them: further than the lowest
 * price is from the highest. Without prices there is nothing to draw them with.
 */
export function limitsNear(
  candles: readonly Candle[],
  orders: readonly { side: string; quantity: string; limitPrice: string | null }[],
) {
  if (candles.length === 0) return { marks: [], beyond: 0 };
  const low = Math.min(...candles.flatMap(({ low }) => low ?? []));
  const high = Math.max(...candles.flatMap(({ high }) => high ?? []));
  // Where nothing moves, a hundredth of the price stands for the distance.
  const distance = high - low || high / 100;
  const all = orders.flatMap(({ side, quantity, limitPrice }) =>
    limitPrice === null
      ? []
      : { label: `${side === "buy" ? "Buy" : "Sell"} ${quantity}`, value: Number(limitPrice) },
  );
  const near = all.filter(({ value }) => value >= low - distance && value <= high + distance);
  return { marks: near, beyond: all.length - near.length };
}
