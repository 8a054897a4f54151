import type { Metadata } from "next";
import { RotateConnection } from "#app/(console)/connections/[connectionId]/(detail)/rotate/rotate-connection.tsx";

export const metadata: Metadata = { title: "Rotate connection" };

export default async function RotateConnectionPage({
  params,
}: {
  params: Promise<{ connectionId: string }>;
}) {
  return <RotateConnection connectionId={(await params).connectionId} />;
}
