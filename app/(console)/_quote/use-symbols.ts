"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

const MAX_TOKENS = 100;

/** Returns the symbol of a network's asset; its address if this installation does not know the token. */
export type SymbolOf = (network: string, asset: string) => string;

/** Returns the tokens that can be swapped, and their symbols. */
export function useSymbols() {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.swaps.tokens.list.queryOptions({ limit: MAX_TOKENS }),
    staleTime: 10_000,
  });
  const tokens = data?.tokens ?? [];
  const symbolOf: SymbolOf = (network, asset) =>
    tokens.find((token) => token.network === network && token.asset === asset)?.symbol ?? asset;
  return { tokens, symbolOf };
}
