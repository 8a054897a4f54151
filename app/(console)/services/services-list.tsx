"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { serviceList } from "#app/(console)/services/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { SERVICE_STATUSES } from "#server/catalogue/statuses.ts";

type Service = {
  id: string;
  name: string;
  description: string;
  status: string;
  reason: string | null;
  operations: string[];
};

const columns: Column<Service>[] = [
  { header: "Service", plain: true, cell: ({ name }) => name, csv: ({ name }) => name, width: "12rem" },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  {
    header: "What it does",
    cell: ({ description, reason }) => (
      <span title={reason ?? undefined}>{[description, reason].filter(Boolean).join(" ")}</span>
    ),
    csv: ({ description }) => description,
  },
  {
    header: "Operations",
    cell: ({ operations }) => <Count value={operations.length} />,
    csv: ({ operations }) => operations.join(" "),
    align: "end",
    width: "7rem",
  },
  idColumn,
];

const order: readonly string[] = SERVICE_STATUSES;

/** Lists the services that this installation offers the account. */
export function ServicesList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(serviceList);
  const query = trpc.services.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <Page>
      <PageHeader
        title="Services"
        sentence="The operations that keys can be allowed to call, with their inputs and prices."
      />
      <ListTable
        state={state}
        label="Services"
        columns={columns}
        list={list}
        failed="The services could not be loaded."
        ask={client.services.list.query}
        rowsOf={({ services }) =>
          services.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
        }
        rowHref={(service) => routes.services.read(service.id)}
        empty={<EmptyState title="No services">This installation offers no service.</EmptyState>}
      />
    </Page>
  );
}
