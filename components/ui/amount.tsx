import { groupDigits, inDigits } from "#components/ui/digits.ts";
import { ShortText } from "#components/ui/short-text.tsx";

const creditsPerUsd = 1_000;

/**
 * Shows a token amount or USD value, which the API returns as a decimal string: `<Amount value="12.5" unit="USDC" />`.
 */
export function Amount({ value, unit }: { value: string; unit: string }) {
  return (
    <span className="break-words tabular-nums">
      <ShortText short={groupDigits(value)} full={groupDigits(value, 100)} /> {unit}
    </span>
  );
}

/** Rounds to cents: `2,999.95` for `2999.958036…`; an amount below a cent keeps its digits. */
export function toCents(usd: string): string {
  const cents = usd.replace(/^(-?\d+\.\d{2})\d+$/, "$1");
  return groupDigits(/^-?0\.00$/.test(cents) ? usd : cents);
}

/** Shows a price or value in USD, to the cent: `<Usd value="2999.958036" />`. */
export function Usd({ value }: { value: string }) {
  return (
    <span className="break-words tabular-nums">
      <ShortText short={toCents(value)} full={groupDigits(value, 100)} /> USD
    </span>
  );
}

/** Returns the value of credits in USD: `$1.204`. */
export function inUsd(credits: number): string {
  const usd = Math.abs(credits / creditsPerUsd)
    .toFixed(3)
    .replace(/0$/, "");
  return `${credits < 0 ? "-" : ""}$${groupDigits(usd)}`;
}

/** Shows credits and their value in USD: `<Credits value={10_000} />`. */
export function Credits({ value }: { value: number }) {
  return (
    <span className="tabular-nums">
      {inDigits(value)} {Math.abs(value) === 1 ? "credit" : "credits"}{" "}
      <span className="whitespace-nowrap text-muted">({inUsd(value)})</span>
    </span>
  );
}

/** A count with its digits grouped: `<Count value={1204} />`. */
export function Count({ value }: { value: number }) {
  return <span className="tabular-nums">{inDigits(value)}</span>;
}
