import type { Metadata } from "next";
import { OrderPanel } from "#app/(console)/trading/order-panel.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Order" };

export default async function OrderPage({ params }: { params: Promise<{ orderId: string }> }) {
  const { orderId } = await params;
  await prefetchSubject(trpc.trading.orders.read.queryOptions({ orderId }));
  return (
    <Hydrate>
      <OrderPanel orderId={orderId} mayTrade={await may("trading:execute")} />
    </Hydrate>
  );
}
