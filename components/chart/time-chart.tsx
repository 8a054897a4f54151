"use client";

import { lazy } from "react";
import { type ChartProps, Plot } from "#components/chart/plot.tsx";
import { colourOf } from "#components/chart/series.ts";
import { Details } from "#components/ui/details.tsx";
import { shortDay } from "#components/ui/time-words.ts";

const ChartNumbers = lazy(() =>
  import("#components/chart/chart-numbers.tsx").then(({ ChartNumbers }) => ({ default: ChartNumbers })),
);

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
      <Details summary="Show the numbers">
        <ChartNumbers question={question} axis={axis} points={points} series={series} formatAt={formatAt} />
      </Details>
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
