import type { Metadata } from "next";
import { CheckSignature } from "#app/(console)/webhooks/[webhookId]/(detail)/check/check-signature.tsx";

export const metadata: Metadata = { title: "Check signature" };

export default async function CheckSignaturePage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <CheckSignature webhookId={(await params).webhookId} />;
}
