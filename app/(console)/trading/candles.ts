import type { Point } from "#components/chart/series.ts";

const MINUTES = 5;

type Candle = Point<"open" | "high" | "low" | "close">;

/** Returns the first, highest, lowest and last price of each five minutes that have a price, oldest first. */
export function candlesOf(prices: readonly { at: string; priceUsd: string }[]): Candle[] {
  const size = MINUTES * 60_000;
  const groups = Map.groupBy(prices, ({ at }) => Math.floor(Date.parse(at) / size) * size);
  return [...groups].map(([from, group]) => {
    // Floats are precise enough for drawing.
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
 * Returns the limits of open orders that are drawn with the prices, and how many are too far away: further than the
 * range of the prices. Without prices nothing is drawn.
 */
export function limitsNear(
  candles: readonly Candle[],
  orders: readonly { side: string; quantity: string; limitPrice: string | null }[],
) {
  if (candles.length === 0) return { marks: [], beyond: 0 };
  const low = Math.min(...candles.flatMap(({ low }) => low ?? []));
  const high = Math.max(...candles.flatMap(({ high }) => high ?? []));
  // If the price never changed, a hundredth of it serves as the range.
  const distance = high - low || high / 100;
  const all = orders.flatMap(({ side, quantity, limitPrice }) =>
    limitPrice === null
      ? []
      : { label: `${side === "buy" ? "Buy" : "Sell"} ${quantity}`, value: Number(limitPrice) },
  );
  const near = all.filter(({ value }) => value >= low - distance && value <= high + distance);
  return { marks: near, beyond: all.length - near.length };
}
