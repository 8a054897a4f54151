"use client";

import dynamic from "next/dynamic";
import { Market } from "#app/(console)/trading/market.tsx";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

// Chunks of their own, so that a new order over this page loads little script first.
const Positions = dynamic(() =>
  import("#app/(console)/trading/positions.tsx").then(({ Positions }) => Positions),
);
const Orders = dynamic(() => import("#app/(console)/trading/orders.tsx").then(({ Orders }) => Orders));

/** Shows prices, positions with their profits, and orders. */
export function Trading({ mayTrade }: { mayTrade: boolean }) {
  return (
    <Page>
      <PageHeader
        title="Trading"
        sentence="Spot orders from managed wallets, filled on the venue's pools; profit is counted from real fills."
        action={
          mayTrade && (
            <ButtonLink variant="primary" href={routes.trading.create()}>
              New order
            </ButtonLink>
          )
        }
      />
      <Market />
      <Positions />
      <Orders mayTrade={mayTrade} />
    </Page>
  );
}
