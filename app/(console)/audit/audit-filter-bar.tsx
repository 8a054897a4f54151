"use client";

import { useState } from "react";
import { type AuditFilters, outcomes } from "#app/(console)/audit/queries.ts";
import { useKeyChoices } from "#components/form/use-choices.tsx";
import { FilterBar, FilterSearch, FilterSelect, FilterSwitch } from "#components/table/filter-bar.tsx";
import { FilterTime } from "#components/table/filter-time.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { Button } from "#components/ui/button.tsx";
import type { Option } from "#components/ui/select.tsx";

type AuditListFilters = Filters<keyof AuditFilters>;

/** Everything that the request log can be narrowed by. */
export function AuditFilterBar({
  filters,
  operationIds,
}: {
  filters: AuditListFilters;
  operationIds: string[];
}) {
  const keys = useKeyChoices();
  const { from, to, consoleReads } = filters.values;
  const [more, setMore] = useState([from, to, consoleReads].some(Boolean));

  return (
    <FilterBar filters={filters}>
      <FilterSearch filters={filters} name="requestId" label="Request id" />
      <FilterSelect filters={filters} name="operation" label="Operation" options={operationIds.map(named)} />
      <FilterSelect filters={filters} name="outcome" label="Outcome" options={outcomes} />
      <FilterSelect filters={filters} name="keyId" label="Key" {...keys} />
      <Button variant="ghost" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? "Fewer filters" : "More filters"}
      </Button>
      {more && <MoreFilters filters={filters} />}
    </FilterBar>
  );
}

/** What is needed less often, in a row of its own. */
function MoreFilters({ filters }: { filters: AuditListFilters }) {
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <FilterTime filters={filters} name="from" label="From" />
      <FilterTime filters={filters} name="to" label="Until" />
      <FilterSwitch filters={filters} name="consoleReads" label="Console reads" />
    </div>
  );
}

const named = (id: string): Option => ({ value: id, label: id });
