import type { Metadata } from "next";
import type { ReactNode } from "react";
import { webhookList } from "#app/(console)/webhooks/queries.ts";
import { WebhookList } from "#app/(console)/webhooks/webhook-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksLayout({ children }: { children: ReactNode }) {
  const asked = webhookList.query(await wantedFilters(webhookList.names));
  const events = eventChoices.catalogue.map(({ type }) => type);
  await prefetch(trpc.webhooks.list.queryOptions(asked));
  return (
    <Hydrate>
      <WebhookList mayWrite={await may("webhooks:write")} events={events} />
      {children}
    </Hydrate>
  );
}
