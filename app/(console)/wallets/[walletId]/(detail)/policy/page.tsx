import type { Metadata } from "next";
import { EditPolicy } from "#app/(console)/wallets/[walletId]/(detail)/policy/edit-policy.tsx";

export const metadata: Metadata = { title: "Edit policy" };

export default async function EditPolicyPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <EditPolicy walletId={(await params).walletId} />;
}
