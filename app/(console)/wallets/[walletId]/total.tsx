"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Usd } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

/** What a wallet is worth, and its address. */
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

/** What a wallet is worth, asked of the chains; nothing where they can't be asked. */
function TotalUsd({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.balances.read.queryOptions({ walletId }));
  return data ? <Worth {...data} /> : null;
}

const MINUTE_MS = 60_000;

/** What one wallet of many is worth; asked once a minute at most, however often the list changes. */
export function ListedTotal({ walletId }: { walletId: string }) {
  const client = useTRPCClient();
  const { data } = useQuery({
    queryKey: ["worth of a listed wallet", walletId],
    queryFn: () => client.wallets.balances.read.query({ walletId }),
    staleTime: MINUTE_MS,
  });
  return data ? <Worth {...data} /> : null;
}

function Worth({ balances, totalUsd }: inferRouterOutputs<ConsoleRouter>["wallets"]["balances"]["read"]) {
  const unpriced = balances.filter(({ amount, valueUsd }) => valueUsd === null && amount !== "0").length;
  return (
    <>
      <Usd value={totalUsd} />
      {unpriced > 0 && (
        <span className="font-normal text-13 text-muted"> and {unpriced} without a price</span>
      )}
    </>
  );
}
