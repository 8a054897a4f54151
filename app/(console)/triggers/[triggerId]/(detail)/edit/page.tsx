import type { Metadata } from "next";
import { EditTrigger } from "#app/(console)/triggers/[triggerId]/(detail)/edit/edit-trigger.tsx";

export const metadata: Metadata = { title: "Edit trigger" };

export default async function EditTriggerPage({ params }: { params: Promise<{ triggerId: string }> }) {
  return <EditTrigger triggerId={(await params).triggerId} />;
}
