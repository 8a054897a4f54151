"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";
import { Usd } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { sumOf } from "#components/ui/digits.ts";

/** Shows a wallet's value and address. */
export function Total({ walletId, address }: { walletId: string; address: string }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <span className="font-semibold text-16 text-ink">
        <TotalUsd walletId={walletId} />
      </span>
      <Copyable value={address} full />
    </span>
  );
}

/** Shows a wallet's value as read from the chains; nothing if they cannot be reached. */
export function TotalUsd({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.balances.read.queryOptions({ walletId }));
  if (!data) return null;
  const priced = data.balances.flatMap(({ valueUsd }) => valueUsd ?? []);
  const unpriced = data.balances.filter(({ amount, valueUsd }) => valueUsd === null && amount !== "0").length;
  return (
    <>
      <Usd value={sumOf(priced)} />
      {unpriced > 0 && (
        <span className="font-normal text-13 text-muted"> and {unpriced} without a price</span>
      )}
    </>
  );
}
