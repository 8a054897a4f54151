import type { Metadata } from "next";
import { LazyCheckSignature } from "#app/(console)/webhooks/[webhookId]/(detail)/check/lazy-check-signature.tsx";

export const metadata: Metadata = { title: "Check signature" };

export default async function CheckSignaturePage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <LazyCheckSignature webhookId={(await params).webhookId} />;
}
