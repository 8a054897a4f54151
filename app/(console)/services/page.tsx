import type { Metadata } from "next";
import { serviceList } from "#app/(console)/services/queries.ts";
import { ServicesList } from "#app/(console)/services/services-list.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Services" };

export default async function ServicesPage() {
  const asked = serviceList.query(await wantedFilters(serviceList.names));
  await prefetch(trpc.services.list.queryOptions(asked));
  return (
    <Hydrate>
      <ServicesList />
    </Hydrate>
  );
}
