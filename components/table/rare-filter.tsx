"use client";

import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { LinkedFilter } from "#components/table/linked-filter.tsx";
import type { Filter } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";

/** The filter types that few lists show: a switch, and a filter that only links set. */
export function RareFilter({
  filters,
  name,
  filter,
}: {
  filters: Filters<string>;
  name: string;
  filter: Extract<Filter, { kind: "switch" | "linked" }>;
}) {
  const Control = filter.kind === "linked" ? LinkedFilter : FilterSwitch;
  return <Control filters={filters} name={name} label={filter.label} />;
}
