import type { Metadata } from "next";
import { NewSwap } from "#app/(console)/swaps/(list)/new/new-swap.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "New swap" };

export default async function NewSwapPage() {
  await prefetch(trpc.wallets.list.queryOptions({ limit: 100 }));
  return (
    <Hydrate>
      <NewSwap />
    </Hydrate>
  );
}
