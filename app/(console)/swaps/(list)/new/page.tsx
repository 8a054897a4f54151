import type { Metadata } from "next";
import { LazyNewSwap } from "#app/(console)/swaps/(list)/new/lazy-new-swap.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";

export const metadata: Metadata = { title: "New swap" };

export default async function NewSwapPage() {
  await prefetch(trpc.wallets.list.queryOptions(choicesQuery()));
  return (
    <Hydrate>
      <LazyNewSwap />
    </Hydrate>
  );
}
