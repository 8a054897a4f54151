import { inDigits } from "#components/ui/digits.ts";

/** One line or colour of a chart; `key` is its number's name in each point. Without a `colour`, its place gives one. */
export type Series<Key extends string = string> = { key: Key; label: string; colour?: string };

/** A moment's numbers: `{ at: "2026-03-01", requests: 12 }`; null where there is none, and a line is broken. */
export type Point<Key extends string = string> = { at: string } & Record<Key, number | null>;

const colours = ["var(--accent)", "var(--warn)", "var(--info)", "var(--bad)", "var(--ok)"];

/** The colour of a series, by its place where it has none; the table and legend tell them apart without colour. */
export function colourOf({ colour }: Series, index: number): string {
  return colour ?? colours[index % colours.length] ?? "";
}

/** A number of a point as it is read: a dash where there is none. */
export const written = (value: number | null) => (value === null ? "–" : inDigits(value, 20));
