import type { Metadata } from "next";
import { RotateKey } from "#app/(console)/api-keys/[id]/(detail)/rotate/rotate-key.tsx";

export const metadata: Metadata = { title: "Rotate key" };

export default async function RotateKeyPage({ params }: { params: Promise<{ id: string }> }) {
  return <RotateKey id={(await params).id} />;
}
