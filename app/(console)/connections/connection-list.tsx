"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { shortAuthTypes } from "#app/(console)/connections/auth-types.ts";
import { ConnectionStatus } from "#app/(console)/connections/connection-status.tsx";
import { connectionList } from "#app/(console)/connections/queries.ts";
import { useConnectionActions } from "#app/(console)/connections/use-connection-actions.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Connection } from "#server/connections/schema.ts";

const columns: Column<Connection>[] = [
  { header: "Label", cell: ({ label }) => label, csv: ({ label }) => label, sort: "label" },
  { header: "Provider", cell: ({ provider }) => provider, csv: ({ provider }) => provider, minor: true },
  {
    header: "Sent as",
    cell: ({ authType }) => shortAuthTypes[authType],
    csv: ({ authType }) => authType,
    width: "8rem",
    minor: true,
  },
  {
    header: "Hosts",
    cell: ({ allowedHosts: [first, ...more] }) => (
      <>
        <span className="font-mono">{first}</span>
        {more.length > 0 && <span className="text-muted"> +{more.length}</span>}
      </>
    ),
    csv: ({ allowedHosts }) => allowedHosts.join(" "),
    minor: true,
  },
  {
    header: "Status",
    plain: true,
    cell: (connection) => <ConnectionStatus connection={connection} />,
    csv: ({ status }) => status,
    width: "7rem",
  },
  {
    header: "Last used",
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    csv: ({ lastUsedAt }) => lastUsedAt,
    width: "8rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    optional: true,
    width: "8rem",
  },
  idColumn,
];

export function ConnectionList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(connectionList);
  const query = trpc.connections.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const actions = useConnectionActions();
  const queries = useQueryClient();
  const selection = useSelection<Connection>({ idOf: ({ id }) => id, nameOf: ({ label }) => label });
  const change =
    (status: "active" | "disabled") =>
    ({ id }: Connection) =>
      client.connections.update.mutate({ connectionId: id, status });

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
      <ListTable
        state={state}
        label="Connections"
        columns={columns}
        list={list}
        failed="The connections could not be loaded."
        ask={client.connections.list.query}
        rowsOf={({ connections }) => connections}
        rowHref={(connection) => routes.connections.read(connection.id)}
        {...(mayWrite && { selection, rowMenu: actions.menuOf })}
        empty={<NoConnections />}
      >
        <ErrorNotice what="The connection was not enabled." error={actions.error} />
        <Many
          selection={selection}
          counted={countedBy("connection")}
          noteOf={({ provider }) => provider}
          actions={[
            {
              verb: "Enable",
              fits: ({ status }) => status !== "active",
              text: "Whatever uses them can again.",
              act: change("active"),
            },
            {
              verb: "Disable",
              fits: ({ status }) => status === "active",
              text: "From this moment every use of them fails with 409. Their secrets stay, and you can enable them again.",
              act: change("disabled"),
            },
            {
              verb: "Delete",
              danger: true,
              text: "Their secrets are gone for good, and every use of them fails with 404. The outside systems still know the secrets: withdraw them there.",
              act: ({ id }) => client.connections.delete.mutate({ connectionId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.connections.pathFilter())}
        />
      </ListTable>
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
