"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { artifactList } from "#app/(console)/artifacts/queries.ts";
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
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Size } from "#components/ui/size.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Artifact } from "#server/artifacts/schema.ts";

const columns: Column<Artifact>[] = [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name, sort: "name" },
  {
    header: "Service",
    plain: true,
    cell: ({ serviceId }) => serviceId,
    csv: ({ serviceId }) => serviceId,
    minor: true,
  },
  { header: "Type", cell: ({ mediaType }) => mediaType, csv: ({ mediaType }) => mediaType, minor: true },
  {
    header: "Size",
    plain: true,
    cell: ({ sizeBytes }) => <Size bytes={sizeBytes} />,
    csv: ({ sizeBytes }) => sizeBytes,
    align: "end",
    width: "6rem",
  },
  {
    header: "Run",
    cell: ({ runId }) => <Copyable value={runId} />,
    csv: ({ runId }) => runId,
    optional: true,
    width: "12rem",
  },
  {
    header: "Made",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

export function ArtifactList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(artifactList);
  const query = trpc.artifacts.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  // An open artifact lies over the list, which keeps its filters.
  const search = useSearchParams();
  const suffix = search.size > 0 ? `?${search}` : "";

  return (
    <Page>
      <PageHeader
        title="Artifacts"
        sentence="What runs have produced: exports, reports, documents. Each is kept for 30 days."
      />
      <ListBar
        state={state}
        columns={columns}
        page={async (query) => {
          const { artifacts, nextCursor } = await client.artifacts.list.query(query);
          return { rows: artifacts, nextCursor };
        }}
      />
      <ErrorNotice what="The artifacts could not be loaded." error={list.error} />
      <DataTable
        label="Artifacts"
        columns={columns}
        rows={list.data?.artifacts}
        failed={list.isError}
        rowId={(artifact) => artifact.id}
        rowHref={(artifact) => `${routes.artifacts.read(artifact.id)}${suffix}`}
        view={state.view}
        empty={state.filters.active ? <NoMatches filters={state.filters} /> : <NoArtifacts />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Page>
  );
}

function NoArtifacts() {
  const body = { serviceId: "managed-memory", operationId: "export", input: {} };
  const curl = curlOf(useOrigin(), { method: "POST", path: "/runs", idempotent: true, body });
  return (
    <EmptyState title="No artifacts yet" curl={curl}>
      A run that produces something to keep writes an artifact: the export of your memories, or a step of a
      workflow.
    </EmptyState>
  );
}
