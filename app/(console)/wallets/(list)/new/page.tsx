import type { Metadata } from "next";
import { NewWallet } from "#app/(console)/wallets/(list)/new/new-wallet.tsx";

export const metadata: Metadata = { title: "New wallet" };

export default function NewWalletPage() {
  return <NewWallet />;
}
