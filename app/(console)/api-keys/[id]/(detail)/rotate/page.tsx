import type { Metadata } from "next";
import { LazyRotateKey } from "#app/(console)/api-keys/[id]/(detail)/rotate/lazy-rotate-key.tsx";

export const metadata: Metadata = { title: "Rotate key" };

export default async function RotateKeyPage({ params }: { params: Promise<{ id: string }> }) {
  return <LazyRotateKey id={(await params).id} />;
}
