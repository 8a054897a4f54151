import type { Metadata } from "next";
import { LateEditTrigger } from "#app/(console)/triggers/[triggerId]/(detail)/edit/late-edit-trigger.tsx";

export const metadata: Metadata = { title: "Edit trigger" };

export default async function EditTriggerPage({ params }: { params: Promise<{ triggerId: string }> }) {
  return <LateEditTrigger triggerId={(await params).triggerId} />;
}
