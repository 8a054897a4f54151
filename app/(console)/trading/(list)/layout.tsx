import type { Metadata } from "next";
import type { ReactNode } from "react";
import { orderList, positionQuery } from "#app/(console)/trading/queries.ts";
import { Trading } from "#app/(console)/trading/trading.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Trading" };

export default async function TradingLayout({ children }: { children: ReactNode }) {
  const wanted = await wantedFilters(orderList.names);
  await prefetch(
    trpc.trading.orders.list.queryOptions(orderList.query(wanted)),
    trpc.trading.positions.list.queryOptions(positionQuery(wanted)),
    trpc.trading.markets.list.queryOptions(),
  );
  return (
    <Hydrate>
      <Trading mayTrade={await may("trading:execute")} />
      {children}
    </Hydrate>
  );
}
