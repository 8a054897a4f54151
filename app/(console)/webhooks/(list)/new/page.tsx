import type { Metadata } from "next";
import { NewWebhook } from "#app/(console)/webhooks/(list)/new/new-webhook.tsx";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "New webhook" };

export default function NewWebhookPage() {
  return <NewWebhook choices={eventChoices} />;
}
