"use client";

import { useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";

type Service = {
  id: string;
  name: string;
  description: string;
  status: string;
  reason: string | null;
  operations: string[];
};

const columns: Column<Service>[] = [
  { header: "Service", cell: ({ name }) => name, width: "12rem" },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "8rem" },
  {
    header: "What it does",
    cell: ({ description, reason }) => (
      <span title={reason ?? undefined}>{[description, reason].filter(Boolean).join(" ")}</span>
    ),
  },
  {
    header: "Operations",
    cell: ({ operations }) => <Count value={operations.length} />,
    align: "end",
    width: "7rem",
  },
];

const order = ["available", "degraded", "unavailable"];

/** Everything that this installation can do for the account. */
export function ServicesList() {
  const trpc = useTRPC();
  const list = useQuery(trpc.services.list.queryOptions({ limit: 100 }));
  return (
    <Page>
      <PageHeader
        title="Services"
        sentence="What keys can be allowed to call, what each operation takes, and what it costs."
      />
      <ErrorNotice what="The services could not be loaded." error={list.error} />
      <DataTable
        label="Services"
        columns={columns}
        rows={list.data?.services.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))}
        failed={list.isError}
        rowId={(service) => service.id}
        rowHref={(service) => routes.services.read(service.id)}
        empty={<EmptyState title="No services">This installation offers no service.</EmptyState>}
      />
    </Page>
  );
}
