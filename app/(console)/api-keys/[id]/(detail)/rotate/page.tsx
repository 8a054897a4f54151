import type { Metadata } from "next";
import { LateRotateKey } from "#app/(console)/api-keys/[id]/(detail)/rotate/late-rotate-key.tsx";

export const metadata: Metadata = { title: "Rotate key" };

export default async function RotateKeyPage({ params }: { params: Promise<{ id: string }> }) {
  return <LateRotateKey id={(await params).id} />;
}
