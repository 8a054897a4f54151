"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

const MOST = 100;

/** What people call an asset of a network; its address where it is no token of this installation. */
export type SymbolOf = (network: string, asset: string) => string;

/** The tokens that can be swapped, and what people call them. */
export function useSymbols() {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.swaps.tokens.list.queryOptions({ limit: MOST }), staleTime: 10_000 });
  const tokens = data?.tokens ?? [];
  const symbolOf: SymbolOf = (network, asset) =>
    tokens.find((token) => token.network === network && token.asset === asset)?.symbol ?? asset;
  return { tokens, symbolOf };
}
