"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { shortAuthTypes } from "#app/(console)/connections/auth-types.ts";
import { ConnectionStatus } from "#app/(console)/connections/connection-status.tsx";
import { useConnectionActions } from "#app/(console)/connections/use-connection-actions.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Connection } from "#server/connections/schema.ts";

const columns: Column<Connection>[] = [
  { header: "Label", cell: (connection) => connection.label },
  { header: "Provider", cell: (connection) => connection.provider, minor: true },
  { header: "Sent as", cell: ({ authType }) => shortAuthTypes[authType], width: "8rem", minor: true },
  {
    header: "Hosts",
    cell: ({ allowedHosts: [first, ...more] }) => (
      <>
        <span className="font-mono">{first}</span>
        {more.length > 0 && <span className="text-muted"> +{more.length}</span>}
      </>
    ),
    minor: true,
  },
  {
    header: "Status",
    cell: (connection) => <ConnectionStatus connection={connection} />,
    width: "7rem",
  },
  { header: "Last used", cell: (connection) => <RelativeTime at={connection.lastUsedAt} />, width: "8rem" },
];

export function ConnectionList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const query = trpc.connections.list.queryOptions(cursor ? { cursor } : {});
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const actions = useConnectionActions();

  return (
    <Page>
      <PageHeader
        title="Connections"
        sentence="A connection keeps a secret of an outside system, sealed and bound to hosts. Workflows, agents and services use it; nobody reads it."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.connections.create()}>
              New connection
            </ButtonLink>
          )
        }
      />
      <ErrorNotice what="The connections could not be loaded." error={list.error} />
      <DataTable
        label="Connections"
        columns={columns}
        rows={list.data?.connections}
        failed={list.isError}
        rowId={(connection) => connection.id}
        rowHref={(connection) => routes.connections.read(connection.id)}
        {...(mayWrite && { rowMenu: actions.menuOf })}
        empty={<NoConnections />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {actions.dialogs}
    </Page>
  );
}

function NoConnections() {
  const body = {
    label: "Orders API",
    provider: "orders",
    authType: "api_key",
    secret: "…",
    allowedHosts: ["api.example.com"],
  };
  const curl = curlOf(useOrigin(), { method: "POST", path: "/connections", idempotent: true, body });
  return (
    <EmptyState title="No connections yet" curl={curl}>
      Keep the key of an outside API here once, and let workflows and agents call that API with it. Each use
      is in the audit, with the version of the secret that was sent.
    </EmptyState>
  );
}
