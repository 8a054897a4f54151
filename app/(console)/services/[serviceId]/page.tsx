import type { Metadata } from "next";
import { ServicePage } from "#app/(console)/services/[serviceId]/service-page.tsx";
import { operationList, serviceQuery } from "#app/(console)/services/queries.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

type Props = { params: Promise<{ serviceId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).serviceId };
}

export default async function Service({ params }: Props) {
  const { serviceId } = await params;
  const asked = operationList.query(await wantedFilters(operationList.names));
  await Promise.all([
    prefetch(trpc.services.list.queryOptions(serviceQuery(serviceId))),
    prefetchSubject(trpc.capabilities.read.queryOptions({ ...asked, serviceId })),
  ]);
  return (
    <Hydrate>
      <ServicePage serviceId={serviceId} />
    </Hydrate>
  );
}
