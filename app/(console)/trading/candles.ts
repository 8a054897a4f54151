import type { Point } from "#components/chart/series.ts";

const SIZE_MS = 5 * 60_000;

type Price = { at: string; priceUsd: string };
type Candle = Point<"open" | "high" | "low" | "close">;

const startOf = (at: number) => Math.floor(at / SIZE_MS) * SIZE_MS;

/** Returns the prices of the last minutes before the last price, from the start of a candle. */
export function lastMinutes(prices: readonly Price[], minutes: number): Price[] {
  const end = Date.parse(prices.at(-1)?.at ?? "");
  const since = startOf(end - minutes * 60_000);
  return prices.filter(({ at }) => Date.parse(at) >= since);
}

/** Returns the first, highest, lowest and last price of each five minutes that have a price, oldest first. */
export function candlesOf(prices: readonly Price[]): Candle[] {
  const groups = Map.groupBy(prices, ({ at }) => startOf(Date.parse(at)));
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
