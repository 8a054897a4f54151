"use client";

import { useState } from "react";
import {
  drawableOf,
  firstChoice,
  kindOf,
  MAX_SERIES,
  pointsOf,
} from "#app/(console)/database/sql/drawn-columns.ts";
import type { ResultColumn } from "#app/(console)/database/sql/result-table.tsx";
import { shown } from "#app/(console)/database/tables/[table]/row-query.ts";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Select } from "#components/ui/select.tsx";

const LABEL_CHARACTERS = 16;

/** Draws the numbers of a page of rows along one of its columns. */
export function ResultChart({
  columns,
  names,
  rows,
}: {
  columns: readonly ResultColumn[];
  names: readonly string[];
  rows: readonly unknown[][];
}) {
  const { labels, numbers } = drawableOf(columns);
  const [{ label, series }, choose] = useState(() => firstChoice(columns));
  if (numbers.length === 0 || rows.length === 0)
    return (
      <p className="rounded-md border px-3 py-6 text-center text-13 text-muted">
        {rows.length === 0
          ? "There are no rows to draw."
          : "No column has numbers to draw. Select one, such as count(*)."}
      </p>
    );
  const nameOf = (place: number) => names[place] ?? "";
  const points = pointsOf(rows, series);
  const kind = kindOf(points, columns[label]);
  const toggle = (place: number) =>
    choose({
      label,
      series: numbers.filter((each) => (each === place ? !series.includes(each) : series.includes(each))),
    });

  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-md border p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Select
          aria-label="Along the axis"
          value={String(label)}
          options={labels.map((place) => ({ value: String(place), label: nameOf(place) }))}
          onChange={(value) => choose({ label: Number(value), series })}
        />
        <fieldset className="flex flex-wrap gap-x-4">
          <legend className="sr-only">Columns that are drawn</legend>
          {numbers.map((place) => (
            <Checkbox
              key={place}
              label={nameOf(place)}
              checked={series.includes(place)}
              disabled={!series.includes(place) && series.length === MAX_SERIES}
              onChange={() => toggle(place)}
            />
          ))}
        </fieldset>
      </div>
      {series.length > 0 && (
        <TimeChart
          question={`${series.map(nameOf).join(", ")} by ${nameOf(label)}`}
          unit="the columns' own units"
          moments="a point for each row of this page"
          axis={nameOf(label)}
          points={points}
          series={series.map((place) => ({ key: String(place), label: nameOf(place) }))}
          kind={kind}
          fit={kind === "line"}
          formatAt={(at) => labelOf(rows[Number(at)]?.[label])}
        />
      )}
    </div>
  );
}

function labelOf(value: unknown): string {
  const text = value === null ? "null" : shown(value);
  return text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS)}…` : text;
}
