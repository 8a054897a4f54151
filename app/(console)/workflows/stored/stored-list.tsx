"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { filterNames, type Stored, statuses, storedQuery } from "#app/(console)/workflows/stored/queries.ts";
import { WorkflowTabs } from "#app/(console)/workflows/workflow-tabs.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSearch, FilterSelect, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";

const columnsWith = (projects: ReadonlyMap<string, string>): Column<Stored>[] => [
  { header: "Name", cell: ({ name }) => name },
  { header: "Newest version", cell: ({ version }) => version, width: "8rem" },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "8rem" },
  {
    header: "Project",
    cell: ({ projectId }) => (projectId ? (projects.get(projectId) ?? shorten(projectId)) : "–"),
    width: "10rem",
    minor: true,
  },
  { header: "Put by", cell: ({ createdBy }) => createdBy.label, width: "10rem", minor: true },
  {
    header: "Put",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
];

/** The workflows that are stored under a name, with their newest version. */
export function StoredList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const list = useQuery({
    ...trpc.workflows.list.queryOptions(storedQuery(filters.values, useCursor())),
    placeholderData: keepPreviousData,
  });
  const workflows = list.data?.workflows;
  const names = useNames(workflows?.map(({ projectId }) => projectId) ?? []);
  const columns = useMemo(() => columnsWith(names), [names]);

  return (
    <Page>
      <PageHeader
        title="Workflows"
        sentence="Stored under a name in versions that never change; a run keeps the version it was started with."
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
        <FilterSearch filters={filters} name="search" label="Search" />
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
      </FilterBar>
      <ErrorNotice what="The stored workflows could not be loaded." error={list.error} />
      <DataTable
        label="Stored workflows"
        columns={columns}
        rows={workflows}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.workflows.storedOne(id)}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoneStored />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Page>
  );
}

function NoneStored() {
  const steps = [{ id: "pause", type: "wait", seconds: 1 }];
  const body = { operationId: "put", input: { name: "restock", workflow: { name: "Restock", steps } } };
  const path = "/services/managed-workflows/invoke";
  const curl = curlOf(useOrigin(), { method: "POST", path, idempotent: true, body });
  return (
    <EmptyState title="No stored workflows yet" curl={curl}>
      Store a workflow once and start it by its name: with a key that may run nothing else, and as a step of
      other workflows.
    </EmptyState>
  );
}
