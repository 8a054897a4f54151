import type { Metadata } from "next";
import { EditConnection } from "#app/(console)/connections/[connectionId]/(detail)/edit/edit-connection.tsx";

export const metadata: Metadata = { title: "Edit connection" };

export default async function EditConnectionPage({ params }: { params: Promise<{ connectionId: string }> }) {
  return <EditConnection connectionId={(await params).connectionId} />;
}
