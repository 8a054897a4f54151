"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { columnsWith } from "#app/(console)/runs/columns.tsx";
import { csvColumns } from "#app/(console)/runs/csv-columns.ts";
import { OutcomeStrip } from "#app/(console)/runs/outcome-strip.tsx";
import { filterNames, nameOf, type Run, runOrder, runsQuery, statuses } from "#app/(console)/runs/queries.ts";
import { useManyRuns } from "#app/(console)/runs/use-many-runs.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { useServiceChoices } from "#components/form/use-choices.tsx";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { ExportCsv } from "#components/table/export-csv.tsx";
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
import { useTableView } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { ViewButton } from "#components/table/view-button.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useNames } from "#components/use-names.ts";

/** Every durable run, newest first; those under way are followed. */
export function RunList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const view = useTableView("runs");
  const order = runOrder(view.sort);
  const query = trpc.runs.list.queryOptions({ ...runsQuery(filters.values, useCursor()), ...order });
  const list = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  });
  const runs = list.data?.runs;
  const names = useNames(runs?.map(({ projectId }) => projectId) ?? []);
  const inProject = useChosenProject() !== null;
  const columns = useMemo(
    () => columnsWith(names).filter(({ header }) => !(inProject && header === "Project")),
    [names, inProject],
  );
  const services = useServiceChoices();
  const client = useTRPCClient();
  const selection = useSelection<Run>({ idOf: ({ id }) => id, nameOf });
  const many = useManyRuns(selection);

  async function exportPage(cursor: string | undefined) {
    const input = { ...runsQuery(filters.values, cursor), ...order, limit: 100 };
    const { runs, nextCursor } = await client.runs.list.query(input);
    return { rows: runs, nextCursor };
  }

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
              <ButtonLink href={routes.runs.bulk("forget", filters.values)}>Forget several</ButtonLink>
              <ButtonLink variant="primary" href={routes.runs.create()}>
                New run
              </ButtonLink>
            </>
          )
        }
      />
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <OutcomeStrip filters={filters.values} />
        <div className="ml-auto flex items-center gap-1">
          <ExportCsv name="runs" columns={csvColumns} page={exportPage} />
          <ViewButton view={view} columns={columns} />
        </div>
      </div>
      <FilterBar filters={filters}>
        <FilterSearch filters={filters} name="search" label="Search" />
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
        <FilterSelect filters={filters} name="serviceId" label="Service" {...services} />
        <FilterSearch filters={filters} name="tag" label="Tag" />
        <FilterSwitch filters={filters} name="failures" label="Only failures" />
        <FilterTime filters={filters} name="from" label="From" />
        <FilterTime filters={filters} name="to" label="Until" />
      </FilterBar>
      <ErrorNotice what="The runs could not be loaded." error={list.error} />
      {many.bar}
      <DataTable
        label="Runs"
        view={view}
        {...(mayWrite && { selection })}
        columns={columns}
        rows={runs}
        failed={list.isError}
        rowId={(run) => run.id}
        rowHref={(run) => routes.runs.read(run.id)}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoRuns />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {many.dialog}
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
