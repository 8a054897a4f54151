import type { Metadata } from "next";
import { LazySign } from "#app/(console)/wallets/[walletId]/(detail)/sign/lazy-sign.tsx";

export const metadata: Metadata = { title: "Sign" };

export default async function SignPage({ params }: { params: Promise<{ walletId: string }> }) {
  return <LazySign walletId={(await params).walletId} />;
}
