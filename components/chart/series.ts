import { inDigits } from "#components/ui/digits.ts";

/** One line or bar of a chart; `key` names its number in each point. Without a `colour`, its index gives one. */
export type Series<Key extends string = string> = { key: Key; label: string; colour?: string };

/** A moment's numbers: `{ at: "2026-03-01", requests: 12 }`. Null means no number, and breaks a line. */
export type Point<Key extends string = string> = { at: string } & Record<Key, number | null>;

const colours = ["var(--accent)", "var(--warn)", "var(--info)", "var(--bad)", "var(--ok)"];

/** Returns the colour of a series. The table and the legend tell the series apart without colour. */
export function colourOf({ colour }: Series, index: number): string {
  return colour ?? colours[index % colours.length] ?? "";
}

/** Formats a number of a point; null as a dash. */
export const written = (value: number | null) => (value === null ? "–" : inDigits(value, 20));
