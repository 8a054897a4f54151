"use client";

import dynamic from "next/dynamic";
import { Market } from "#app/(console)/trading/market.tsx";
import { Positions } from "#app/(console)/trading/positions.tsx";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

// By itself, so that a new order over this page loads little script first.
const Orders = dynamic(() => import("#app/(console)/trading/orders.tsx").then(({ Orders }) => Orders));

/** What the market says, what is held and has brought, and the orders that made it so. */
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
