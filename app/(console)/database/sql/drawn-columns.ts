import type { ResultColumn } from "#app/(console)/database/sql/result-table.tsx";
import type { Point } from "#components/chart/series.ts";

const NUMBERS = /^(int[248]|float[48]|numeric)\b/;
const MOMENTS = /^(date|timestamp|timestamptz)\b/;

/** The number of lines that have distinct colours. */
export const MAX_SERIES = 5;

/** The columns of a result that can be drawn, by index. */
interface Drawable {
  /** Columns for the axis; columns of text and of times come before those of numbers. */
  labels: number[];
  numbers: number[];
}

export function drawableOf(columns: readonly ResultColumn[]): Drawable {
  const places = [...columns.keys()];
  const isNumber = (place: number) => NUMBERS.test(columns[place]?.type ?? "");
  const numbers = places.filter(isNumber);
  return { labels: [...places.filter((place) => !isNumber(place)), ...numbers], numbers };
}

/** Returns the initial choice: all columns of numbers except the one that labels or identifies the rows. */
export function firstChoice(columns: readonly ResultColumn[]): { label: number; series: number[] } {
  const { labels, numbers } = drawableOf(columns);
  const label = labels[0] ?? 0;
  const others = numbers.filter((place) => place !== label);
  const measures = others.filter((place) => !/^id$|_id$/.test(columns[place]?.name ?? ""));
  return { label, series: (measures.length > 0 ? measures : others).slice(0, MAX_SERIES) };
}

/** Returns a chart's points: `at` is the row's number, and each series is named by its column's index. */
export function pointsOf(rows: readonly unknown[][], series: readonly number[]): Point[] {
  return rows.map((row, number) => ({
    at: String(number),
    ...Object.fromEntries(series.map((place) => [String(place), numberIn(row[place])])),
  })) as Point[];
}

/**
 * Returns lines for numbers over times or other numbers, and for negative numbers, because bars begin at zero;
 * otherwise bars.
 */
export function kindOf(points: readonly Point[], label: ResultColumn | undefined): "bar" | "line" {
  if (NUMBERS.test(label?.type ?? "") || MOMENTS.test(label?.type ?? "")) return "line";
  const isNegative = ({ at, ...values }: Point) =>
    Object.values<number | null>(values).some((value) => value !== null && value < 0);
  return points.some(isNegative) ? "line" : "bar";
}

/** Large integers and decimals come as text; those too large for a drawing are left out. */
function numberIn(value: unknown): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const number = Number(value);
  return value !== "" && Number.isFinite(number) ? number : null;
}
