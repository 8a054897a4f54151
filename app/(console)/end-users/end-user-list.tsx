"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { endUserList } from "#app/(console)/end-users/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { RelativeTime } from "#components/ui/time.tsx";
import type { EndUser } from "#server/end-users/schema.ts";

const columns: Column<EndUser>[] = [
  {
    header: "External id",
    cell: ({ externalId }) => <bdi title={externalId}>{plainName(externalId)}</bdi>,
    csv: ({ externalId }) => externalId,
    sort: "externalId",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

/** Lists the end users of the account, which all projects share. */
export function EndUserList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(endUserList);
  const query = trpc.endUsers.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });

  return (
    <Page>
      <PageHeader
        title="End users"
        sentence="The users of your own app, for whom keys and calls act. Resources of one end user are invisible to the others."
      />
      <ListTable
        state={state}
        label="End users"
        columns={columns}
        list={list}
        failed="The end users could not be loaded."
        ask={client.endUsers.list.query}
        rowsOf={({ endUsers }) => endUsers}
        rowHref={({ id }) => routes.endUsers.read(id)}
        empty={<NoEndUsers />}
      />
    </Page>
  );
}

function NoEndUsers() {
  const body = { operationId: "put", input: { name: "greeting", content: "Hello, world." } };
  const curl = curlOf(useOrigin(), {
    method: "POST",
    path: "/services/managed-memory/invoke",
    idempotent: true,
    headers: { "X-Service-End-User": "customer-81" },
    body,
  });
  return (
    <EmptyState title="No end users yet" curl={curl}>
      Name one of your users in a call by your own id of theirs, or bind a key to them. They are listed here
      from the first resource that belongs to them.
    </EmptyState>
  );
}
