import type { Metadata } from "next";
import { LazyEditPolicy } from "#app/(console)/wallets/[walletId]/(detail)/policy/lazy-edit-policy.tsx";

export const metadata: Metadata = { title: "Edit policy" };

export default async function EditPolicyPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <LazyEditPolicy walletId={(await params).walletId} />;
}
