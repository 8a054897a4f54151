"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { isOpen, useCancelling } from "#app/(console)/trading/use-cancelling.tsx";
import { WalletLink } from "#app/(console)/wallets/wallet-link.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Credits, Usd } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import type { Order } from "#server/trading/schema.ts";

/** Shows an order's progress as it happens; one that waits for its price can be cancelled. */
export function OrderPanel({ orderId, mayTrade }: { orderId: string; mayTrade: boolean }) {
  const trpc = useTRPC();
  const cancelling = useCancelling();
  const { order } = useSuspenseQuery(trpc.trading.orders.read.queryOptions({ orderId })).data;
  const { failure, approvalId, fills } = order;
  return (
    <SideModal
      title={`${order.side === "buy" ? "Buy" : "Sell"} ${order.quantity} ${order.symbol}`}
      parent={routes.trading.list()}
      wide
      footer={
        mayTrade &&
        isOpen(order) && (
          <Button variant="danger" onClick={() => cancelling.ask(order)}>
            Cancel order
          </Button>
        )
      }
    >
      {failure && <ErrorNotice what="It was not filled." error={{ message: failure.message }} />}
      <div aria-live="polite">
        <Facts
          items={[
            { name: "Status", value: <Status value={order.status} /> },
            { name: "Type", value: termsOf(order) },
            ...(order.limitPrice ? [{ name: "Limit", value: <Usd value={order.limitPrice} /> }] : []),
            { name: "Filled", value: `${order.filledQuantity} of ${order.quantity}` },
            {
              name: "Average price",
              value: order.averagePrice ? <Usd value={order.averagePrice} /> : "No fill yet",
            },
            ...fills.map(({ price, quantity, transactionHash }, index) => ({
              name: `Fill ${index + 1}`,
              value: (
                <>
                  {quantity} at <Usd value={price} /> <Copyable value={transactionHash} />
                </>
              ),
            })),
            {
              name: "Wallet",
              value: <WalletLink walletId={order.walletId} />,
            },
            ...(approvalId
              ? [
                  {
                    name: "Approval",
                    value: <TextLink href={routes.approvals.read(approvalId)}>{approvalId}</TextLink>,
                  },
                ]
              : []),
            { name: "Charge", value: <Credits value={order.chargedCredits} /> },
            { name: "Created", value: <ExactTime at={order.createdAt} /> },
            ...(order.expiresAt ? [{ name: "Ends", value: <ExactTime at={order.expiresAt} /> }] : []),
            { name: "Id", value: <Copyable value={order.id} full /> },
          ]}
        />
      </div>
      {cancelling.dialog}
    </SideModal>
  );
}

const inForce = {
  gtc: "until it is filled",
  ioc: "what can be filled at once",
  fok: "all of it at once, or nothing",
  gtd: "until its end",
};

function termsOf({ type, timeInForce }: Order): string {
  return type === "market" ? "Market" : `Limit, ${inForce[timeInForce]}`;
}
