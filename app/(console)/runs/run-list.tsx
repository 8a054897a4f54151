"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { columns } from "#app/(console)/runs/columns.tsx";
import { filterNames, runsQuery, statuses } from "#app/(console)/runs/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect, FilterSwitch, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Every durable run, newest first; those under way are followed. */
export function RunList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.runs.list.queryOptions(runsQuery(filters.values, useCursor()));
  const list = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  });
  const services = useQuery(trpc.services.list.queryOptions({ limit: 100 }));
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
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
        <FilterSelect filters={filters} name="serviceId" label="Service" options={choices} />
        <FilterSwitch filters={filters} name="failures" label="Only failures" />
      </FilterBar>
      <ErrorNotice what="The runs could not be loaded." error={list.error} />
      <DataTable
        label="Runs"
        columns={columns}
        rows={list.data?.runs}
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
