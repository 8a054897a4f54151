"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { columnsWith } from "#app/(console)/runs/columns.tsx";
import { OutcomeStrip } from "#app/(console)/runs/outcome-strip.tsx";
import { filterNames, runsQuery, statuses } from "#app/(console)/runs/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { useProjectChoices } from "#components/form/use-choices.tsx";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import {
  FilterBar,
  FilterSearch,
  FilterSelect,
  FilterSwitch,
  NoMatches,
} from "#components/table/filter-bar.tsx";
import { FilterTime } from "#components/table/filter-time.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useNames } from "#components/use-names.ts";

/** Every durable run, newest first; those under way are followed. */
export function RunList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.runs.list.queryOptions(runsQuery(filters.values, useCursor()));
  const list = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  });
  const runs = list.data?.runs;
  const names = useNames(runs?.map(({ projectId }) => projectId) ?? []);
  const columns = useMemo(() => columnsWith(names), [names]);
  const services = useQuery(trpc.services.list.queryOptions({ limit: 100 }));
  const projects = useProjectChoices();
  const choices = services.data?.services.map(({ id, name }) => ({ value: id, label: name })) ?? [];

  return (
    <Page>
      <PageHeader
        title="Runs"
        sentence="Durable work of services: each finished step is kept, and nothing of it happens twice."
        action={
          mayWrite && (
            <>
              <ButtonLink href={routes.runs.bulk("cancel", filters.values)}>Cancel several</ButtonLink>
              <ButtonLink href={routes.runs.bulk("retry", filters.values)}>Retry several</ButtonLink>
              <ButtonLink variant="primary" href={routes.runs.create()}>
                New run
              </ButtonLink>
            </>
          )
        }
      />
      <OutcomeStrip filters={filters.values} />
      <FilterBar filters={filters}>
        <FilterSearch filters={filters} name="search" label="Name" />
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
        <FilterSelect filters={filters} name="serviceId" label="Service" options={choices} />
        <FilterSelect filters={filters} name="projectId" label="Project" {...projects} />
        <FilterTime filters={filters} name="from" label="From" />
        <FilterTime filters={filters} name="to" label="Until" />
        <FilterSwitch filters={filters} name="failures" label="Only failures" />
      </FilterBar>
      <ErrorNotice what="The runs could not be loaded." error={list.error} />
      <DataTable
        label="Runs"
        columns={columns}
        rows={runs}
        failed={list.isError}
        rowId={(run) => run.id}
        rowHref={(run) => routes.runs.read(run.id)}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoRuns />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Page>
  );
}

function NoRuns() {
  const body = { serviceId: "managed-memory", operationId: "export", input: {} };
  const curl = curlOf(useOrigin(), { method: "POST", path: "/runs", idempotent: true, body });
  return (
    <EmptyState title="No runs yet" curl={curl}>
      A run answers at once and works on by itself, for seconds or days: an export, a workflow, an agent.
    </EmptyState>
  );
}
