"use client";

import { FilterSearch, FilterSelect } from "#components/table/filter-bar.tsx";
import type { Filter } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

// By itself, so that a list's page loads little script first; in its place is room for it.
const LateFilter = inBrowser(
  () => import("#components/table/late-filter.tsx").then(({ LateFilter }) => LateFilter),
  <span className="h-8 max-sm:w-full sm:w-36" />,
);

/** The control of a declared filter; a period is one control for two. */
export function ListFilter({
  filters,
  name,
  filter,
}: {
  filters: Filters<string>;
  name: string;
  filter: Filter;
}) {
  switch (filter.kind) {
    case "search":
    case "text":
      return filter.label && <FilterSearch filters={filters} name={name} label={filter.label} />;
    case "one":
      return <FilterSelect filters={filters} name={name} {...filter} />;
    default:
      return name === "to" ? null : <LateFilter filters={filters} name={name} {...filter} />;
  }
}
