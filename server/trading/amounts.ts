import { formatUnits, parseUnits } from "viem";
import type { Market } from "./markets.ts";

/** The number of decimals of prices. */
const PRICE_DECIMALS = 18;

type Rounding = "up" | "down";

function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  return rounding === "up" ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}

/** Returns the value of a quantity at a price; quantity and value are in smallest units. */
export function valueAt(
  { base, counter }: Market,
  quantity: bigint,
  price: string,
  rounding: Rounding,
): bigint {
  const scaled = quantity * parseUnits(price, PRICE_DECIMALS) * 10n ** BigInt(counter.decimals);
  return divide(scaled, 10n ** BigInt(base.decimals + PRICE_DECIMALS), rounding);
}

/** Returns the price at which a quantity has this value, both in smallest units. */
export function priceOf(
  { base, counter }: Market,
  quantity: bigint,
  value: bigint,
  rounding: Rounding = "down",
): string {
  const scaled = value * 10n ** BigInt(base.decimals + PRICE_DECIMALS);
  return formatUnits(divide(scaled, quantity * 10n ** BigInt(counter.decimals), rounding), PRICE_DECIMALS);
}

/** Returns a value after a tolerance in hundredths of a percent: more when paying, less when receiving. */
export function withSlippage(value: bigint, bps: number, direction: "more" | "less"): bigint {
  const share = direction === "more" ? 10_000n + BigInt(bps) : 10_000n - BigInt(bps);
  return divide(value * share, 10_000n, direction === "more" ? "up" : "down");
}

const scaled = (text: string) => parseUnits(text, PRICE_DECIMALS);
const text = (value: bigint) => formatUnits(value, PRICE_DECIMALS);
const ONE = scaled("1");

/** The sum of two decimal strings. */
export const plus = (one: string, other: string) => text(scaled(one) + scaled(other));

/** The difference of two decimal strings. */
export const minus = (one: string, other: string) => text(scaled(one) - scaled(other));

/** The product of two decimal strings, to 18 places. */
export const times = (one: string, other: string) => text((scaled(one) * scaled(other)) / ONE);

/** The quotient of two decimal strings, to 18 places; null by zero. */
export function per(value: string, quantity: string): string | null {
  const divisor = scaled(quantity);
  return divisor === 0n ? null : text((scaled(value) * ONE) / divisor);
}
