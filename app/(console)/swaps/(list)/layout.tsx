import type { Metadata } from "next";
import type { ReactNode } from "react";
import { swapList } from "#app/(console)/swaps/queries.ts";
import { SwapList } from "#app/(console)/swaps/swap-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Swaps" };

export default async function SwapsLayout({ children }: { children: ReactNode }) {
  const asked = swapList.query(await wantedFilters(swapList.names));
  await prefetch(trpc.swaps.list.queryOptions(asked));
  return (
    <Hydrate>
      <SwapList maySwap={await may("wallets:transact")} />
      {children}
    </Hydrate>
  );
}
