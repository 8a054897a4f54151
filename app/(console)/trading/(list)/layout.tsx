import type { Metadata } from "next";
import type { ReactNode } from "react";
import { orderList } from "#app/(console)/trading/queries.ts";
import { Trading } from "#app/(console)/trading/trading.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Trading" };

export default async function TradingLayout({ children }: { children: ReactNode }) {
  const asked = orderList.query(await wantedFilters(orderList.names));
  await prefetch(
    trpc.trading.orders.list.queryOptions(asked),
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
