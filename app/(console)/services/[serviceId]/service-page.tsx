"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Capability, priceText, usageText } from "#app/(console)/services/capability.ts";
import { operationList, serviceQuery } from "#app/(console)/services/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";

type Row = Capability & { id: string };

const columns: Column<Row>[] = [
  { header: "Operation", cell: ({ title }) => title, csv: ({ title }) => title },
  {
    header: "Id",
    cell: ({ operationId }) => <code className="font-mono">{operationId}</code>,
    csv: ({ operationId }) => operationId,
  },
  { header: "Use", cell: usageText, csv: usageText },
  {
    header: "Price",
    cell: ({ price }) => priceText(price),
    csv: ({ price }) => priceText(price),
    width: "14rem",
  },
];

/** A service and its operations. */
export function ServicePage({ serviceId }: { serviceId: string }) {
  const trpc = useTRPC();
  const services = useQuery(trpc.services.list.queryOptions(serviceQuery(serviceId)));
  const client = useTRPCClient();
  const state = useList(operationList);
  const list = useQuery({
    ...trpc.capabilities.read.queryOptions({ ...state.query, serviceId }),
    placeholderData: keepPreviousData,
  });
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
      <ListTable
        state={state}
        label="Operations"
        columns={columns}
        list={list}
        failed="The service could not be loaded."
        ask={(asked) => client.capabilities.read.query({ ...asked, serviceId })}
        rowsOf={({ capabilities }) => capabilities.map((one) => ({ ...one, id: one.operationId }))}
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
