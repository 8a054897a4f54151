// Not with Intl: its first use on a page, for anything, blocks for 20 ms, on a phone 80 ms.

/** Groups the digits of a decimal string without converting it to a float; `digits` truncates the fraction. */
export function groupDigits(value: string, digits = 8): string {
  const [, sign = "", whole = "", fraction = ""] = value.match(/^(-?)(\d+)(?:\.(\d+))?$/) ?? [];
  if (whole === "") return value;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  if (fraction === "") return `${sign}${grouped}`;
  return fraction.length > digits
    ? `${sign}${grouped}.${fraction.slice(0, digits)}…`
    : `${sign}${grouped}.${fraction}`;
}

/** The sum of decimal strings, exactly and without trailing zeros. */
export function sumOf(values: readonly string[]): string {
  const places = Math.max(0, ...values.map((value) => value.split(".")[1]?.length ?? 0));
  const units = values.reduce((sum, value) => {
    const [whole = "0", fraction = ""] = value.split(".");
    return sum + BigInt(whole + fraction.padEnd(places, "0"));
  }, 0n);
  const digits = String(units).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

/** Formats a number with grouped digits, rounded to so many decimals: `1,204`, or with one decimal `1,204.5`. */
export function inDigits(value: number, decimals = 0): string {
  return groupDigits(String(Number(value.toFixed(decimals))), decimals);
}

const steps: [size: number, letter: string][] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** Formats an axis's number briefly: `1.5K`. */
export function inShort(value: number): string {
  const [size, letter] = steps.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
  return inDigits(value / size, 2) + letter;
}
