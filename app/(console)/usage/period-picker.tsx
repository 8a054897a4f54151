"use client";

import { type Period, type PeriodFilters, periods } from "#app/(console)/usage/period.ts";
import { useTypedDate } from "#components/form/use-typed-date.ts";
import type { Filters } from "#components/table/use-filters.ts";
import { Input } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";

/** The length of `2026-03-01`. */
const DAY = 10;

/** Chooses the period, which the address keeps; a custom one starts from the days shown before. */
export function PeriodPicker({ filters, period }: { filters: Filters<keyof PeriodFilters>; period: Period }) {
  const first = period.moments[0]?.slice(0, DAY) ?? "";
  const last = period.moments.at(-1)?.slice(0, DAY) ?? "";

  function choose(choice: string) {
    filters.set("period", choice);
    filters.set("from", choice === "custom" ? first : "");
    filters.set("to", choice === "custom" ? last : "");
  }

  return (
    <>
      <Segments label="Period" options={periods} value={period.choice} onChange={choose} />
      {period.choice === "custom" && (
        <span className="flex items-center gap-2 max-sm:w-full">
          <Day label="From" value={first} max={last} onChange={(day) => filters.set("from", day)} />
          <span aria-hidden="true" className="text-muted">
            –
          </span>
          <Day label="Until" value={last} min={first} onChange={(day) => filters.set("to", day)} />
        </span>
      )}
    </>
  );
}

function Day({
  label,
  value,
  onChange,
  ...input
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}) {
  // Without a day, there would be no such period.
  const typed = useTypedDate(value, (day) => day && onChange(day));
  return <Input type="date" aria-label={label} className="sm:max-w-36" {...input} {...typed} />;
}
