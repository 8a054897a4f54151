/** US dollars with 18 decimal places, exactly. */
export type Usd = bigint;

const SCALE = 18;
const ONE = 10n ** BigInt(SCALE);

/** Digits and how many of them stand behind the point. */
function parse(text: string): { digits: bigint; places: number } {
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

/** Reads a decimal text of at most 18 places; further ones are rounded up. */
export function usdOf(text: string): Usd {
  const { digits, places } = parse(text);
  return divideUp(digits * ONE, 10n ** BigInt(places));
}

/** Returns the value of an amount in smallest units at this price for a whole unit, rounded up. */
export function worthOf(amount: bigint, decimals: number, priceUsd: string): Usd {
  const { digits, places } = parse(priceUsd);
  return divideUp(amount * digits * ONE, 10n ** BigInt(decimals + places));
}

/** As decimal text without idle zeros. */
export function usdText(value: Usd): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value).padStart(SCALE + 1, "0");
  const fraction = digits.slice(-SCALE).replace(/0+$/, "");
  return `${sign}${digits.slice(0, -SCALE)}${fraction && `.${fraction}`}`;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
