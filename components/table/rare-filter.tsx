"use client";

import { X } from "lucide-react";
import { FilterPeriod } from "#components/table/filter-period.tsx";
import { FilterSwitch } from "#components/table/filter-switch.tsx";
import type { Filter } from "#components/table/list.ts";
import type { FilterOf, Filters } from "#components/table/use-filters.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { plainName } from "#components/ui/plain-name.ts";

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

/** Shows a filter that a link has set, with a button that removes it. */
function LinkedFilter<Name extends string>({ filters, name, label }: FilterOf<Name>) {
  const value = filters.values[name];
  if (value === "") return null;
  const shown = plainName(value);
  return (
    <span className="flex h-8 min-w-0 max-w-full items-center rounded-md sm:max-w-80 bg-hover pl-2 text-13">
      <span title={shown} className="truncate">
        {label} <bdi>{shown}</bdi>
      </span>
      <IconButton
        icon={X}
        label={`Remove the filter “${label}”`}
        onClick={(event) => {
          filters.set(name, "");
          // The button is gone with the filter.
          event.currentTarget.closest("search")?.focus();
        }}
      />
    </span>
  );
}
