"use client";

import { lazy } from "react";
import { FilterSwitch } from "#components/table/filter-switch.tsx";
import { LinkedFilter } from "#components/table/linked-filter.tsx";
import type { Filter } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";

const FilterPeriod = lazy(() =>
  import("#components/table/filter-period.tsx").then(({ FilterPeriod }) => ({ default: FilterPeriod })),
);

/** The filter types that few lists show: a switch, and filters that a link sets, such as a period. */
export function RareFilter({
  filters,
  name,
  filter,
}: {
  filters: Filters<string>;
  name: string;
  filter: Extract<Filter, { kind: "switch" | "linked" | "moment" }>;
}) {
  if (filter.kind === "moment") return <FilterPeriod filters={filters} />;
  const Control = filter.kind === "linked" ? LinkedFilter : FilterSwitch;
  return <Control filters={filters} name={name} label={filter.label} />;
}
