import type { Metadata } from "next";
import { RecoverEvents } from "#app/(console)/webhooks/[webhookId]/(detail)/recover/recover-events.tsx";

export const metadata: Metadata = { title: "Recover events" };

export default async function RecoverEventsPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <RecoverEvents webhookId={(await params).webhookId} />;
}
