import type { Metadata } from "next";
import { LazyDeliveryPanel } from "#app/(console)/webhooks/[webhookId]/(detail)/deliveries/[deliveryId]/lazy-delivery-panel.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage({
  params,
}: {
  params: Promise<{ webhookId: string; deliveryId: string }>;
}) {
  const { webhookId, deliveryId } = await params;
  await prefetchSubject(trpc.webhookDeliveries.read.queryOptions({ deliveryId }));
  return (
    <Hydrate>
      <LazyDeliveryPanel
        webhookId={webhookId}
        deliveryId={deliveryId}
        mayWrite={await may("webhooks:write")}
      />
    </Hydrate>
  );
}
