"use client";

import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { FilterTime } from "#components/table/filter-time.tsx";
import { period } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";
import { useChosen } from "#components/ui/chosen.ts";
import { Select, withChosen } from "#components/ui/select.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CUSTOM = "chosen";
const spans = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

/** A period as one control; its two dates are shown unless it is a span up to now, which the address keeps as such. */
export function FilterPeriod({ filters }: { filters: Filters<string> }) {
  const { from = "", to = "" } = filters.values;
  const isSpan = period.from.span.test(from) && to === "";
  const [chosen, choose] = useChosen(isSpan ? from : from || to ? CUSTOM : "", set);
  useMovingOn(isSpan ? from : "");

  function set(value: string) {
    if (value !== CUSTOM) {
      filters.set("from", value);
      filters.set("to", "");
    } else if (isSpan) filters.set("from", startOf(from));
  }

  return (
    <>
      <Select
        aria-label="Time"
        className="max-sm:min-w-[40%] max-sm:flex-1 sm:w-36"
        options={withChosen(
          [{ value: "", label: "Any time" }, ...spans, { value: CUSTOM, label: "Chosen time" }],
          chosen,
        )}
        value={chosen}
        onChange={choose}
      />
      {chosen === CUSTOM && (
        <>
          <FilterTime filters={filters} name="from" label="From" />
          <FilterTime filters={filters} name="to" label="Until" />
        </>
      )}
    </>
  );
}

/** Returns the moment that a span begins at now. */
function startOf(span: string): string {
  const hours = Number.parseInt(span, 10) * (span.endsWith("d") ? 24 : 1);
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

/** True if a list's query begins at the span; its later pages keep the beginning that they have. */
function movesOn({ queryKey: [, asked] }: Query, span: string): boolean {
  const { input } = (asked ?? {}) as { input?: { from?: unknown; cursor?: unknown } };
  return input?.from === span && input.cursor === undefined;
}

/** Refetches the lists of a span each minute, so that its period moves on; not lists that ignore changes. */
function useMovingOn(span: string) {
  const queries = useQueryClient();
  useEffect(() => {
    if (!span) return;
    const timer = setInterval(() => {
      // A page that is shown again is refetched anyway.
      if (document.visibilityState === "hidden") return;
      void queries.invalidateQueries({ predicate: (query) => !query.meta?.still && movesOn(query, span) });
    }, MINUTE_MS);
    return () => clearInterval(timer);
  }, [span, queries]);
}
