import type { Metadata } from "next";
import { NewOrder } from "#app/(console)/trading/(list)/new/new-order.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "New order" };

export default async function NewOrderPage() {
  await prefetch(trpc.wallets.list.queryOptions({ limit: 100 }), trpc.trading.markets.list.queryOptions());
  return (
    <Hydrate>
      <NewOrder />
    </Hydrate>
  );
}
