import type { Metadata } from "next";
import { LazyRotateSecret } from "#app/(console)/webhooks/[webhookId]/(detail)/rotate/lazy-rotate-secret.tsx";

export const metadata: Metadata = { title: "Rotate secret" };

export default async function RotateSecretPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <LazyRotateSecret webhookId={(await params).webhookId} />;
}
