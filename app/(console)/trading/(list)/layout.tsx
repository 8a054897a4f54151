import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Trading } from "#app/(console)/trading/trading.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Trading" };

export default async function TradingLayout({ children }: { children: ReactNode }) {
  const { cursor } = await wantedFilters(["cursor"]);
  await prefetch(
    trpc.trading.orders.list.queryOptions({ ...(cursor && { cursor }) }),
    trpc.trading.positions.list.queryOptions({}),
    trpc.trading.markets.list.queryOptions(),
  );
  return (
    <Hydrate>
      <Trading mayTrade={await may("trading:execute")} />
      {children}
    </Hydrate>
  );
}
