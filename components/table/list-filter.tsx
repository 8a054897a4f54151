"use client";

import { useState } from "react";
import { FilterSearch, FilterSelect } from "#components/table/filter-bar.tsx";
import type { Filter } from "#components/table/list.ts";
import { RareFilter } from "#components/table/rare-filter.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";
import type { Option } from "#components/ui/select.tsx";

// A chunk of its own, so that a list's page loads little script first; a placeholder reserves exactly its space.
const LazyFilter = inBrowser(
  () => import("#components/table/lazy-filter.tsx").then(({ LazyFilter }) => LazyFilter),
  <span className="h-8 max-sm:min-w-[40%] max-sm:flex-1 sm:w-36" />,
);

/** The control of a declared filter; a period is one control for two filters. */
export function ListFilter({
  filters,
  name,
  filter,
  options = [],
}: {
  filters: Filters<string>;
  name: string;
  filter: Filter;
  /** The options of a filter whose options the page supplies. */
  options?: readonly Option[] | undefined;
}) {
  // As at first, so that the control that the person uses stays.
  const [isSet] = useState(Boolean(filters.values.from || filters.values.to));
  switch (filter.kind) {
    case "search":
    case "text":
      return <FilterSearch filters={filters} name={name} {...filter} />;
    case "one":
      return <FilterSelect filters={filters} name={name} {...filter} />;
    case "given":
      return <FilterSelect filters={filters} name={name} options={options} {...filter} />;
    case "segments":
      return (
        <filter.Control
          label={filter.label}
          options={filter.options}
          value={filters.values[name] ?? ""}
          onChange={(value) => filters.set(name, value)}
        />
      );
    case "switch":
    case "linked":
    case "moment":
      if (name === "to" || (filter.kind === "linked" && !filters.values[name])) return null;
      if (filter.kind === "moment" && !isSet) break;
      // Not late: its width depends on its words or its dates, and a server that sends much ahead sends what is late last.
      return <RareFilter filters={filters} name={name} filter={filter} />;
  }
  return <LazyFilter filters={filters} name={name} {...filter} />;
}
