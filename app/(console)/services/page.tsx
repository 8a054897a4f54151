import type { Metadata } from "next";
import { ServicesList } from "#app/(console)/services/services-list.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Services" };

export default async function ServicesPage() {
  await prefetch(trpc.services.list.queryOptions({ limit: 100 }));
  return (
    <Hydrate>
      <ServicesList />
    </Hydrate>
  );
}
