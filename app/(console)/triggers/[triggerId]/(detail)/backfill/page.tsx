import type { Metadata } from "next";
import { BackfillTrigger } from "#app/(console)/triggers/[triggerId]/(detail)/backfill/backfill-trigger.tsx";

export const metadata: Metadata = { title: "Backfill" };

export default async function BackfillPage({ params }: { params: Promise<{ triggerId: string }> }) {
  return <BackfillTrigger triggerId={(await params).triggerId} />;
}
