import type { Metadata } from "next";
import { LateNewWallet } from "#app/(console)/wallets/(list)/new/late-new-wallet.tsx";

export const metadata: Metadata = { title: "New wallet" };

export default function NewWalletPage() {
  return <LateNewWallet />;
}
