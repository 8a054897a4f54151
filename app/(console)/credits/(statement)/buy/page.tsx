import type { Metadata } from "next";
import { BuyCredits } from "#app/(console)/credits/(statement)/buy/buy-credits.tsx";

export const metadata: Metadata = { title: "Buy credits" };

export default function BuyCreditsPage() {
  return <BuyCredits />;
}
