"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { artifactList } from "#app/(console)/artifacts/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
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

  return (
    <Page>
      <PageHeader
        title="Artifacts"
        sentence="Files that runs have produced: exports, reports, documents. Each is kept for 30 days."
      />
      <ListTable
        state={state}
        label="Artifacts"
        columns={columns}
        list={list}
        failed="The artifacts could not be loaded."
        ask={client.artifacts.list.query}
        rowsOf={({ artifacts }) => artifacts}
        rowHref={(artifact) => `${routes.artifacts.read(artifact.id)}${state.suffix}`}
        empty={<NoArtifacts />}
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
