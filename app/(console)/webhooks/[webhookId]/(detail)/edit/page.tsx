import type { Metadata } from "next";
import { LazyEditWebhook } from "#app/(console)/webhooks/[webhookId]/(detail)/edit/lazy-edit-webhook.tsx";
import { eventChoices } from "#server/transports/event-catalogue.ts";

export const metadata: Metadata = { title: "Edit webhook" };

export default async function EditWebhookPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <LazyEditWebhook webhookId={(await params).webhookId} choices={eventChoices} />;
}
