import type { Metadata } from "next";
import { Sign } from "#app/(console)/wallets/[walletId]/(detail)/sign/sign.tsx";

export const metadata: Metadata = { title: "Sign" };

export default async function SignPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <Sign walletId={(await params).walletId} />;
}
