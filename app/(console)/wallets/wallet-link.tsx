"use client";

import { useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { TextLink } from "#components/ui/link.tsx";

/** The way to a wallet, by its name once that is known. */
export function WalletLink({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.read.queryOptions({ walletId }));
  return <TextLink href={routes.wallets.read(walletId)}>{data?.wallet.label ?? walletId}</TextLink>;
}
