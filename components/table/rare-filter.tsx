"use client";

import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { LinkedFilter } from "#components/table/linked-filter.tsx";
import type { Filter } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";
import { Segments } from "#components/ui/segments.tsx";

/** The filter types that few lists show: segments, which show all options, a switch, and what a link has set. */
export function RareFilter({
  filters,
  name,
  filter,
}: {
  filters: Filters<string>;
  name: string;
  filter: Extract<Filter, { kind: "segments" | "switch" | "linked" }>;
}) {
  if (filter.kind === "linked") return <LinkedFilter filters={filters} name={name} label={filter.label} />;
  if (filter.kind === "switch") return <FilterSwitch filters={filters} name={name} label={filter.label} />;
  return (
    <Segments
      label={filter.label}
      options={filter.options}
      value={filters.values[name] ?? ""}
      onChange={(value) => filters.set(name, value)}
    />
  );
}
