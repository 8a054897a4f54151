"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tookText } from "#app/(console)/runs/columns.tsx";
import { nameOf, type Run, statuses } from "#app/(console)/runs/queries.ts";
import { filterNames, workflowsQuery } from "#app/(console)/workflows/queries.ts";
import { WorkflowTabs } from "#app/(console)/workflows/workflow-tabs.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Run>[] = [
  { header: "Workflow", cell: nameOf },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "10rem" },
  { header: "Failed in", cell: ({ error }) => error?.step ?? "–", minor: true },
  { header: "Took", cell: tookText, align: "end", width: "6rem", minor: true },
  {
    header: "Credits",
    cell: ({ chargedCredits }) => <Count value={chargedCredits} />,
    align: "end",
    width: "5rem",
    minor: true,
  },
  {
    header: "Started",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
];

/** The workflows that were executed, newest first. */
export function WorkflowList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const list = useQuery({
    ...trpc.runs.list.queryOptions(workflowsQuery(filters.values, useCursor())),
    placeholderData: keepPreviousData,
  });

  return (
    <Page>
      <PageHeader
        title="Workflows"
        sentence="Steps over services, operations and outside systems, run durably one after another."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.workflows.create()}>
              New workflow
            </ButtonLink>
          )
        }
      />
      <WorkflowTabs />
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
      </FilterBar>
      <ErrorNotice what="The workflows could not be loaded." error={list.error} />
      <DataTable
        label="Workflows"
        columns={columns}
        rows={list.data?.runs}
        failed={list.isError}
        rowId={(run) => run.id}
        rowHref={(run) => routes.runs.read(run.id)}
        {...(mayWrite && {
          rowMenu: (run: Run) => [
            { label: "Edit and run again", href: routes.workflows.create({ from: run.id }) },
          ],
        })}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoWorkflows />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Page>
  );
}

function NoWorkflows() {
  return (
    <EmptyState title="No workflows yet">
      A workflow is JSON: what to call, what to wait for, who must approve. Each finished step is kept, so
      that a crash repeats nothing.
    </EmptyState>
  );
}
