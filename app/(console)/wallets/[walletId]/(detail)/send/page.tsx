import type { Metadata } from "next";
import { Send } from "#app/(console)/wallets/[walletId]/(detail)/send/send.tsx";

export const metadata: Metadata = { title: "Send" };

export default async function SendPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <Send walletId={(await params).walletId} />;
}
