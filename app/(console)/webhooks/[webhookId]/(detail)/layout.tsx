import type { Metadata } from "next";
import type { ReactNode } from "react";
import { WebhookDetail } from "#app/(console)/webhooks/[webhookId]/webhook-detail.tsx";
import { deliveryList } from "#app/(console)/webhooks/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "Webhook" };

export default async function WebhookLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ webhookId: string }>;
}) {
  const { webhookId } = await params;
  const asked = deliveryList.query(await wantedFilters(deliveryList.names));
  await Promise.all([
    prefetchSubject(trpc.webhooks.read.queryOptions({ webhookId })),
    prefetch(trpc.webhookDeliveries.list.queryOptions({ webhookId, ...asked })),
  ]);
  return (
    <Hydrate>
      <WebhookDetail
        webhookId={webhookId}
        events={eventChoices.catalogue.map(({ type }) => type)}
        mayWrite={await may("webhooks:write")}
      />
      {children}
    </Hydrate>
  );
}
