import type { Metadata } from "next";
import { LazyEditTrigger } from "#app/(console)/triggers/[triggerId]/(detail)/edit/lazy-edit-trigger.tsx";

export const metadata: Metadata = { title: "Edit trigger" };

export default async function EditTriggerPage({ params }: { params: Promise<{ triggerId: string }> }) {
  return <LazyEditTrigger triggerId={(await params).triggerId} />;
}
