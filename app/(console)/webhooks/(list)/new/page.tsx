import type { Metadata } from "next";
import { LazyNewWebhook } from "#app/(console)/webhooks/(list)/new/lazy-new-webhook.tsx";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "New webhook" };

export default function NewWebhookPage() {
  return <LazyNewWebhook choices={eventChoices} />;
}
