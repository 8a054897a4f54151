"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { artifactsQuery, filterNames } from "#app/(console)/artifacts/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSearch, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Size } from "#components/ui/size.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Artifact } from "#server/artifacts/schema.ts";

const columns: Column<Artifact>[] = [
  { header: "Name", cell: (artifact) => artifact.name },
  { header: "Service", cell: (artifact) => artifact.serviceId, minor: true },
  { header: "Type", cell: (artifact) => artifact.mediaType, minor: true },
  { header: "Size", cell: (artifact) => <Size bytes={artifact.sizeBytes} />, align: "end", width: "6rem" },
  { header: "Made", cell: (artifact) => <RelativeTime at={artifact.createdAt} />, width: "8rem" },
];

export function ArtifactList() {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.artifacts.list.queryOptions(artifactsQuery(filters.values, useCursor()));
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
      <FilterBar filters={filters}>
        <FilterSearch filters={filters} name="runId" label="Run id" />
      </FilterBar>
      <ErrorNotice what="The artifacts could not be loaded." error={list.error} />
      <DataTable
        label="Artifacts"
        columns={columns}
        rows={list.data?.artifacts}
        failed={list.isError}
        rowId={(artifact) => artifact.id}
        rowHref={(artifact) => `${routes.artifacts.read(artifact.id)}${suffix}`}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoArtifacts />}
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
