import type { Metadata } from "next";
import { LazyNewWallet } from "#app/(console)/wallets/(list)/new/lazy-new-wallet.tsx";

export const metadata: Metadata = { title: "New wallet" };

export default function NewWalletPage() {
  return <LazyNewWallet />;
}
