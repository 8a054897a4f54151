import type { Metadata } from "next";
import { NewWebhook } from "#app/(console)/webhooks/(list)/new/new-webhook.tsx";

export const metadata: Metadata = { title: "New webhook" };

export default function NewWebhookPage() {
  return <NewWebhook />;
}
