"use client";

import { useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";

/** A wallet that is about to pay or sign: its name and its whole address. */
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

/** The way to a wallet, by its name once that is known. */
export function WalletLink({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.read.queryOptions({ walletId }));
  return <TextLink href={routes.wallets.read(walletId)}>{data?.wallet.label ?? walletId}</TextLink>;
}
