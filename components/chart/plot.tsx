"use client";

import { type PointerEvent, type ReactNode, useState } from "react";
import { Candles, type Mark, Marks } from "#components/chart/candles.tsx";
import { ticksOf } from "#components/chart/scale.ts";
import { colourOf, type Point, type Series, written } from "#components/chart/series.ts";
import { cn } from "#components/ui/cn.ts";
import { inDigits, inShort } from "#components/ui/digits.ts";

export type ChartProps<Key extends string> = {
  /** The question that the chart answers: `How many requests were made each day?` */
  question: string;
  /** The unit of the numbers: `requests`. */
  unit: string;
  points: Point<Key>[];
  series: Series<Key>[];
  kind?: "bar" | "line" | "candle";
  /** Horizontal lines, such as the limits of open orders. */
  marks?: readonly Mark[];
  /** Scales from the lowest to the highest value, for numbers that are never near zero; by default from zero. */
  fit?: boolean;
  /** How the caption names the moments: by default UTC days. */
  moments?: string;
  /** The header of the moments' column in the table: by default `When`. */
  axis?: string;
  /** Formats a moment: by default as `1 Mar`. */
  formatAt?: (at: string) => string;
};

type Drawn<Key extends string> = { points: Point<Key>[]; series: Series<Key>[] };
/** Returns the position of a value as a percentage of the height, from the bottom. */
type Height = (value: number) => number;

const LABELS = 6;
const DOT = 6;

/**
 * The drawing of a `TimeChart`. Everything is placed by percentages, so that the server renders it completely and no
 * script measures anything. Bars are stacked, lines are not; the series of candles are open, high, low and close.
 */
export function Plot<Key extends string>({
  points,
  series,
  kind,
  fit,
  marks,
  formatAt,
}: Required<Pick<ChartProps<Key>, "points" | "series" | "kind" | "fit" | "marks" | "formatAt">>) {
  const [pointed, setPointed] = useState<number | null>(null);
  const valuesAt = (point: Point<Key>) => series.flatMap(({ key }) => point[key] ?? []);
  const isBar = kind === "bar";
  const drawn = points.flatMap((point) =>
    isBar ? valuesAt(point).reduce((sum, value) => sum + value, 0) : valuesAt(point),
  );
  const ticks = ticksOf([...drawn, ...marks.map(({ value }) => value)], fit);
  const [low, high] = [ticks[0] as number, ticks.at(-1) as number];
  const height: Height = (value) => ((value - low) / (high - low)) * 100;
  const every = Math.ceil(points.length / LABELS);
  const middle = (index: number) => `${((index + 0.5) / points.length) * 100}%`;
  const pointedAt = pointed === null ? undefined : points[pointed];

  function point({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(
      Math.min(Math.max(Math.floor(((clientX - left) / width) * points.length), 0), points.length - 1),
    );
  }

  return (
    <div className={cn("@container relative h-full text-12 text-muted", fit ? "pl-16" : "pl-11")}>
      <div
        className="relative h-[calc(100%-1.5rem)]"
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick) => (
          <Tick key={tick} bottom={height(tick)}>
            {fit ? inDigits(Number(tick.toPrecision(6)), 20) : inShort(tick)}
          </Tick>
        ))}
        {pointed !== null && (
          <div
            className="absolute inset-y-0 bg-hover"
            style={{ left: `${(pointed / points.length) * 100}%`, width: `${100 / points.length}%` }}
          />
        )}
        {isBar && <Bars points={points} series={series} height={height} />}
        {kind === "line" && <Lines points={points} series={series} height={height} />}
        {kind === "candle" && <Candles points={points} height={height} />}
        <Marks marks={marks} height={height} />
        {pointed !== null && pointedAt && (
          <dl
            className="pointer-events-none absolute top-1 z-10 grid w-max grid-cols-[auto_auto] gap-x-3 rounded-md border bg-raised px-2.5 py-1.5 text-ink shadow-float"
            style={{ left: middle(pointed), translate: `-${middle(pointed)} 0` }}
          >
            <dt className="col-span-2 text-muted">{formatAt(pointedAt.at)}</dt>
            {series.map(({ key, label }) => (
              <div key={key} className="contents">
                <dt>{label}</dt>
                <dd className="text-right tabular-nums">{written(pointedAt[key])}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <div className="relative h-6">
        {points.map(({ at }, index) =>
          index % every === 0 ? (
            <span
              key={at}
              className={cn(
                "absolute top-1.5 -translate-x-1/2 whitespace-nowrap",
                index % (2 * every) > 0 && "@max-md:hidden",
              )}
              style={{ left: middle(index) }}
            >
              {formatAt(at)}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}

function Tick({ bottom, children }: { bottom: number; children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 border-line border-t" style={{ bottom: `${bottom}%` }}>
      <span className="absolute right-full -translate-y-1/2 pr-2 whitespace-nowrap">{children}</span>
    </div>
  );
}

function Bars<Key extends string>({ points, series, height }: Drawn<Key> & { height: Height }) {
  return (
    <div className="absolute inset-0 flex">
      {points.map((point) => (
        <div key={point.at} className="flex min-w-0 flex-1 flex-col-reverse items-center">
          {series.map((each, index) =>
            (point[each.key] ?? 0) > 0 ? (
              <div
                key={each.key}
                className="w-3/4 max-w-7 bg-(--colour)"
                style={{
                  height: `${height(point[each.key] ?? 0)}%`,
                  "--colour": colourOf(each, index),
                }}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function Lines<Key extends string>({ points, series, height }: Drawn<Key> & { height: Height }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {series.map((each, index) =>
        [2, DOT].map((width) => (
          <path
            key={`${each.key} ${width}`}
            d={pathOf(points, each.key, height, width === DOT)}
            fill="none"
            stroke={colourOf(each, index)}
            strokeWidth={width}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        )),
      )}
    </svg>
  );
}

/**
 * Returns the path of a line through the moments that have a number, or, with `dots`, of points for isolated moments.
 */
function pathOf<Key extends string>(points: Point<Key>[], key: Key, height: Height, dots: boolean): string {
  const value = (index: number) => points[index]?.[key] ?? null;
  return points
    .map((_, index) => {
      const here = value(index);
      const isStart = value(index - 1) === null;
      const isIsolated = isStart && value(index + 1) === null;
      if (here === null || isIsolated !== dots) return "";
      return `${isStart ? "M" : "L"}${((index + 0.5) / points.length) * 100} ${100 - height(here)}${isIsolated ? "h0" : ""}`;
    })
    .join("");
}
