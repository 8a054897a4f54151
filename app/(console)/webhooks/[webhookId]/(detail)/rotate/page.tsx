import type { Metadata } from "next";
import { RotateSecret } from "#app/(console)/webhooks/[webhookId]/(detail)/rotate/rotate-secret.tsx";

export const metadata: Metadata = { title: "Rotate secret" };

export default async function RotateSecretPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <RotateSecret webhookId={(await params).webhookId} />;
}
