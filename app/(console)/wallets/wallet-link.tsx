"use client";

import { useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";

/** Shows a wallet that is about to pay or sign: its name and complete address. */
export function PayingWallet({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.read.queryOptions({ walletId }));
  return (
    <>
      <WalletLink walletId={walletId} />
      {data && (
        <span className="block">
          <Copyable value={data.wallet.address} full />
        </span>
      )}
    </>
  );
}

/** Links to a wallet by its name, once that is loaded. */
export function WalletLink({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.read.queryOptions({ walletId }));
  return <TextLink href={routes.wallets.read(walletId)}>{data?.wallet.label ?? walletId}</TextLink>;
}
