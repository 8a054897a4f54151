import type { Metadata } from "next";
import { EditWebhook } from "#app/(console)/webhooks/[webhookId]/(detail)/edit/edit-webhook.tsx";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "Edit webhook" };

export default async function EditWebhookPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <EditWebhook webhookId={(await params).webhookId} choices={eventChoices} />;
}
