import { expect, test } from "vitest";
import { candlesOf, lastMinutes, limitsNear } from "#app/(console)/trading/candles.ts";

const price = (at: string, priceUsd: string) => ({ at: `2026-03-01T${at}:00.000Z`, priceUsd });

test("a candle is five minutes of a price", () => {
  const prices = [price("10:00", "5"), price("10:02", "9"), price("10:03", "4"), price("10:04", "6")];
  expect(candlesOf([...prices, price("10:10", "7")])).toEqual([
    { at: "2026-03-01T10:00:00.000Z", open: 5, high: 9, low: 4, close: 6 },
    { at: "2026-03-01T10:10:00.000Z", open: 7, high: 7, low: 7, close: 7 },
  ]);
  expect(candlesOf([])).toEqual([]);
});

test("a range ends with the last price, and begins with a whole candle", () => {
  const prices = ["09:59", "10:00", "10:02", "10:33"].map((at) => price(at, "5"));
  expect(lastMinutes(prices, 30)).toEqual(prices.slice(1));
  expect(lastMinutes([], 30)).toEqual([]);
});

test("a distant order does not flatten the prices", () => {
  const candles = candlesOf([price("10:00", "100"), price("10:01", "110")]);
  const order = (limitPrice: string | null) => ({ side: "buy", quantity: "2", limitPrice });
  expect(limitsNear(candles, [order("95"), order("50"), order("500"), order(null)])).toEqual({
    marks: [{ label: "Buy 2", value: 95 }],
    beyond: 2,
  });
});

test("without prices no order is too far away", () => {
  const orders = [{ side: "sell", quantity: "1", limitPrice: "3000" }];
  expect(limitsNear([], orders)).toEqual({ marks: [], beyond: 0 });
});
