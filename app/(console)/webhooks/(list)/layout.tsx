import type { Metadata } from "next";
import type { ReactNode } from "react";
import { WebhookList } from "#app/(console)/webhooks/webhook-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksLayout({ children }: { children: ReactNode }) {
  const { cursor } = await wantedFilters(["cursor"]);
  await prefetch(trpc.webhooks.list.queryOptions({ ...(cursor && { cursor }) }));
  return (
    <Hydrate>
      <WebhookList mayWrite={await may("webhooks:write")} />
      {children}
    </Hydrate>
  );
}
