import type { Metadata } from "next";
import { ServicePage } from "#app/(console)/services/[serviceId]/service-page.tsx";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";

type Props = { params: Promise<{ serviceId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).serviceId };
}

export default async function Service({ params }: Props) {
  const { serviceId } = await params;
  await Promise.all([
    prefetch(trpc.services.list.queryOptions({ limit: 100 })),
    prefetchSubject(trpc.capabilities.read.queryOptions({ serviceId, limit: 100 })),
  ]);
  return (
    <Hydrate>
      <ServicePage serviceId={serviceId} />
    </Hydrate>
  );
}
