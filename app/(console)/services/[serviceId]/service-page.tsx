"use client";

import { useQuery } from "@tanstack/react-query";
import { type Capability, priceText, usageText } from "#app/(console)/services/capability.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";

const columns: Column<Capability>[] = [
  { header: "Operation", cell: ({ title }) => title },
  { header: "Id", cell: ({ operationId }) => <code className="font-mono">{operationId}</code> },
  { header: "Use", cell: usageText },
  { header: "Price", cell: ({ price }) => priceText(price), width: "14rem" },
];

/** A service and its operations. */
export function ServicePage({ serviceId }: { serviceId: string }) {
  const trpc = useTRPC();
  const services = useQuery(trpc.services.list.queryOptions({ limit: 100 }));
  const list = useQuery(trpc.capabilities.read.queryOptions({ serviceId, limit: 100 }));
  const service = services.data?.services.find(({ id }) => id === serviceId);
  return (
    <Page>
      <PageHeader
        title={service?.name ?? serviceId}
        badge={service && <Status value={service.status} />}
        sentence={service?.reason ?? service?.description}
        back={<TextLink href={routes.services.list()}>Services</TextLink>}
        action={<Copyable value={serviceId} />}
      />
      <ErrorNotice what="The service could not be loaded." error={list.error} />
      <DataTable
        label="Operations"
        columns={columns}
        rows={list.data?.capabilities}
        failed={list.isError}
        rowId={({ operationId }) => operationId}
        rowHref={({ operationId }) => routes.services.operation(serviceId, operationId)}
        empty={
          <EmptyState title="No operations yet">
            {service?.reason ?? "This service has no operations in this release."}
          </EmptyState>
        }
      />
    </Page>
  );
}
