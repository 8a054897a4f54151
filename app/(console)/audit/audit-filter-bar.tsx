"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AuditFilters, outcomes } from "#app/(console)/audit/queries.ts";
import { FilterBar, FilterSearch, FilterSelect, FilterSwitch } from "#components/table/filter-bar.tsx";
import { FilterTime } from "#components/table/filter-time.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { shorten } from "#components/ui/copyable.tsx";
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
  const trpc = useTRPC();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ limit: 100 }));
  const { operation, keyId, projectId, from, to, consoleReads } = filters.values;
  const [more, setMore] = useState([projectId, from, to, consoleReads].some(Boolean));

  return (
    <FilterBar filters={filters}>
      <FilterSearch filters={filters} name="requestId" label="Request id" />
      <FilterSelect
        filters={filters}
        name="operation"
        label="Operation"
        options={withChosen(operationIds.map(named), operation)}
      />
      <FilterSelect filters={filters} name="outcome" label="Outcome" options={outcomes} />
      <FilterSelect
        filters={filters}
        name="keyId"
        label="Key"
        options={withChosen(keys.data?.apiKeys.map(({ id, label }) => ({ value: id, label })) ?? [], keyId)}
      />
      <Button variant="ghost" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? "Fewer filters" : "More filters"}
      </Button>
      {more && <MoreFilters filters={filters} />}
    </FilterBar>
  );
}

/** What is needed less often, in a row of its own. */
function MoreFilters({ filters }: { filters: AuditListFilters }) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ limit: 100 }));
  const { projectId } = filters.values;
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <FilterSelect
        filters={filters}
        name="projectId"
        label="Project"
        options={withChosen(
          projects.data?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? [],
          projectId,
        )}
      />
      <FilterTime filters={filters} name="from" label="From" />
      <FilterTime filters={filters} name="to" label="Until" />
      <FilterSwitch filters={filters} name="consoleReads" label="Console reads" />
    </div>
  );
}

const named = (id: string): Option => ({ value: id, label: id });

/** What an address names is a choice too, though it is not among those at hand. */
function withChosen(options: Option[], chosen: string): Option[] {
  const known = chosen === "" || options.some(({ value }) => value === chosen);
  return known ? options : [...options, { value: chosen, label: shorten(chosen) }];
}
