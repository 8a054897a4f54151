import type { Metadata } from "next";
import { LazySend } from "#app/(console)/wallets/[walletId]/(detail)/send/lazy-send.tsx";

export const metadata: Metadata = { title: "Send" };

export default async function SendPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <LazySend walletId={(await params).walletId} />;
}
