import type { Metadata } from "next";
import { LazyRecoverEvents } from "#app/(console)/webhooks/[webhookId]/(detail)/recover/lazy-recover-events.tsx";

export const metadata: Metadata = { title: "Recover events" };

export default async function RecoverEventsPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <LazyRecoverEvents webhookId={(await params).webhookId} />;
}
