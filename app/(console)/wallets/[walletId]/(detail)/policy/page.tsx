import type { Metadata } from "next";
import { LateEditPolicy } from "#app/(console)/wallets/[walletId]/(detail)/policy/late-edit-policy.tsx";

export const metadata: Metadata = { title: "Edit policy" };

export default async function EditPolicyPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <LateEditPolicy walletId={(await params).walletId} />;
}
