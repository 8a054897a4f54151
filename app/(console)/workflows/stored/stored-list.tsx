"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Stored, storedList } from "#app/(console)/workflows/stored/queries.ts";
import { WorkflowTabs } from "#app/(console)/workflows/workflow-tabs.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { idColumn } from "#components/table/id-column.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { Pagination } from "#components/table/pagination.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";

const columnsWith = (projects: ReadonlyMap<string, string>): Column<Stored>[] => [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name },
  { header: "Newest version", cell: ({ version }) => version, csv: ({ version }) => version, width: "8rem" },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  {
    header: "Project",
    cell: ({ projectId }) => (projectId ? (projects.get(projectId) ?? shorten(projectId)) : "–"),
    csv: ({ projectId }) => projectId,
    width: "10rem",
    minor: true,
  },
  {
    header: "Put by",
    cell: ({ createdBy }) => createdBy.label,
    csv: ({ createdBy }) => createdBy.label,
    width: "10rem",
    minor: true,
  },
  {
    header: "Put",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    align: "end",
    width: "8rem",
  },
  idColumn,
];

/** The workflows that are stored under a name, with their newest version. */
export function StoredList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(storedList);
  const list = useQuery({
    ...trpc.workflows.list.queryOptions(state.query),
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
      <ListBar
        state={state}
        columns={columns}
        page={async (query) => {
          const { workflows, nextCursor } = await client.workflows.list.query(query);
          return { rows: workflows, nextCursor };
        }}
      />
      <ErrorNotice what="The stored workflows could not be loaded." error={list.error} />
      <DataTable
        label="Stored workflows"
        columns={columns}
        rows={workflows}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.workflows.storedOne(id)}
        view={state.view}
        empty={state.filters.active ? <NoMatches filters={state.filters} /> : <NoneStored />}
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
