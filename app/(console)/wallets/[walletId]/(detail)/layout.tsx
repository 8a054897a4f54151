import type { Metadata } from "next";
import type { ReactNode } from "react";
import { activityList } from "#app/(console)/wallets/[walletId]/queries.ts";
import { WalletDetail } from "#app/(console)/wallets/[walletId]/wallet-detail.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Wallet" };

export default async function WalletLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ walletId: string }>;
}) {
  const { walletId } = await params;
  const asked = activityList.query(await wantedFilters(activityList.names));
  await Promise.all([
    prefetchSubject(trpc.wallets.read.queryOptions({ walletId })),
    prefetch(trpc.wallets.activity.list.queryOptions({ ...asked, walletId })),
  ]);
  const [create, transact, sign, administer] = await Promise.all([
    may("wallets:create"),
    may("wallets:transact"),
    may("wallets:sign"),
    may("approvals:write"),
  ]);
  return (
    <Hydrate>
      <WalletDetail walletId={walletId} may={{ create, transact, sign, administer }} />
      {children}
    </Hydrate>
  );
}
