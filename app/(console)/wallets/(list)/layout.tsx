import type { Metadata } from "next";
import type { ReactNode } from "react";
import { walletList } from "#app/(console)/wallets/queries.ts";
import { WalletList } from "#app/(console)/wallets/wallet-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Wallets" };

export default async function WalletsLayout({ children }: { children: ReactNode }) {
  const asked = walletList.query(await wantedFilters(walletList.names));
  await prefetch(trpc.wallets.list.queryOptions(asked));
  return (
    <Hydrate>
      <WalletList mayCreate={await may("wallets:create")} />
      {children}
    </Hydrate>
  );
}
