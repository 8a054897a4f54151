import type { Metadata } from "next";
import { SwapPanel } from "#app/(console)/swaps/swap-panel.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Swap" };

export default async function SwapPage({ params }: { params: Promise<{ swapId: string }> }) {
  const { swapId } = await params;
  await prefetchSubject(trpc.swaps.read.queryOptions({ swapId }));
  return (
    <Hydrate>
      <SwapPanel swapId={swapId} />
    </Hydrate>
  );
}
