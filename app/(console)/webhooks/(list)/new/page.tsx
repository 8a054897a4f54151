import type { Metadata } from "next";
import { LateNewWebhook } from "#app/(console)/webhooks/(list)/new/late-new-webhook.tsx";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "New webhook" };

export default function NewWebhookPage() {
  return <LateNewWebhook choices={eventChoices} />;
}
