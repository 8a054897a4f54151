"use client";

import { lazy, Suspense, useCallback, useState } from "react";
import type { Mark } from "#components/chart/candles.tsx";
import { Plot } from "#components/chart/plot.tsx";
import { colourOf, type Point, type Series } from "#components/chart/series.ts";
import { shortDay } from "#components/ui/time-words.ts";

const ChartNumbers = lazy(() =>
  import("#components/chart/chart-numbers.tsx").then(({ ChartNumbers }) => ({ default: ChartNumbers })),
);

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

/**
 * Numbers over time, or along other labels, from zero, with the table behind them:
 * `<TimeChart question="How many requests were made each day?" unit="requests" points={days} series={[{ key: "requests", label: "Requests" }]} />`
 */
export function TimeChart<Key extends string>({
  question,
  unit,
  points,
  series,
  kind = "bar",
  fit = false,
  marks = [],
  moments = "days are UTC days",
  axis = "When",
  formatAt = shortDay,
}: ChartProps<Key>) {
  const [opened, setOpened] = useState(false);
  // The person may have opened it before the page's scripts had loaded.
  const noticeOpened = useCallback((details: HTMLDetailsElement | null) => {
    if (details?.open) setOpened(true);
  }, []);
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <figcaption>
        <h3 className="font-semibold text-14">{question}</h3>
        <div className="flex flex-wrap gap-x-4 text-12 text-muted">
          <span>
            In {unit}; {moments}.
          </span>
          {series.length > 1 &&
            kind !== "candle" &&
            series.map((each, index) => (
              <Legend key={each.key} label={each.label} colour={colourOf(each, index)} />
            ))}
        </div>
      </figcaption>
      <div aria-hidden="true" className="h-56 min-w-0">
        <Plot points={points} series={series} kind={kind} fit={fit} marks={marks} formatAt={formatAt} />
      </div>
      <details className="text-13" ref={noticeOpened} onToggle={() => setOpened(true)}>
        <summary className="w-fit rounded-md text-muted hover:text-ink">Show the numbers</summary>
        {opened && (
          <Suspense>
            <ChartNumbers
              question={question}
              axis={axis}
              points={points}
              series={series}
              formatAt={formatAt}
            />
          </Suspense>
        )}
      </details>
    </figure>
  );
}

function Legend({ label, colour }: { label: string; colour: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className="size-2.5 rounded-full" style={{ background: colour }} />
      {label}
    </span>
  );
}
