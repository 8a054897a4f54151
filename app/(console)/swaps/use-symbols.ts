"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

const MOST = 100;

/** The tokens that can be swapped, and what people call them. */
export function useSymbols() {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.swaps.tokens.list.queryOptions({ limit: MOST }), staleTime: 10_000 });
  const tokens = data?.tokens ?? [];
  return {
    tokens,
    symbolOf(network: string, asset: string): string {
      return tokens.find((token) => token.network === network && token.asset === asset)?.symbol ?? asset;
    },
  };
}
