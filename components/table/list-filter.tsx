"use client";

import { lazy, Suspense } from "react";
import { FilterSearch, FilterSelect } from "#components/table/filter-bar.tsx";
import type { Filter } from "#components/table/list.ts";
import type { Filters } from "#components/table/use-filters.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";
import type { Option } from "#components/ui/select.tsx";

// By itself, so that a list's page loads little script first; in its place is room for it.
const LateFilter = inBrowser(
  () => import("#components/table/late-filter.tsx").then(({ LateFilter }) => LateFilter),
  <span className="h-8 max-sm:w-full sm:w-36" />,
);

// As late, but in the document: it is as wide as its words.
const RareFilter = lazy(() =>
  import("#components/table/rare-filter.tsx").then(({ RareFilter }) => ({ default: RareFilter })),
);

/** The control of a declared filter; a period is one control for two. */
export function ListFilter({
  filters,
  name,
  filter,
  options = [],
}: {
  filters: Filters<string>;
  name: string;
  filter: Filter;
  /** The choices of a filter that the page brings them for. */
  options?: readonly Option[] | undefined;
}) {
  switch (filter.kind) {
    case "search":
    case "text":
      return filter.label && <FilterSearch filters={filters} name={name} label={filter.label} />;
    case "one":
      return <FilterSelect filters={filters} name={name} {...filter} />;
    case "given":
      return <FilterSelect filters={filters} name={name} options={options} {...filter} />;
    case "switch":
    case "segments":
      return (
        <Suspense>
          <RareFilter filters={filters} name={name} filter={filter} />
        </Suspense>
      );
    default:
      return name === "to" ? null : <LateFilter filters={filters} name={name} {...filter} />;
  }
}
