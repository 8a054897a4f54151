import type { Metadata } from "next";
import { NewOrder } from "#app/(console)/trading/(list)/new/new-order.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";

export const metadata: Metadata = { title: "New order" };

export default async function NewOrderPage() {
  await prefetch(trpc.wallets.list.queryOptions(choicesQuery()), trpc.trading.markets.list.queryOptions());
  return (
    <Hydrate>
      <NewOrder />
    </Hydrate>
  );
}
