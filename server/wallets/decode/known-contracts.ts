import { type Abi, type Address, getAddress } from "viem";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ROUTER, WRAPPED_TOKEN } from "./calls.ts";
import { PERMIT2, PERMIT2_CALLS, TOKEN } from "./token.ts";

interface KnownContract {
  address: Address;
  name: string;
  /** Returns the names of the decoded functions, without duplicates. */
  methods: string[];
}

/**
 * Returns the contracts of a chain that its operator has configured, and Permit2, which has the same address on every
 * chain; without duplicates.
 */
export function knownContractsOf({ contracts, tokens }: Chain): KnownContract[] {
  const { venue, bridge, wrappedNative } = contracts;
  const native = tokens.find(({ asset }) => asset === "native")?.symbol ?? "ETH";
  const all = [
    ...known(venue?.router, "Uniswap router", ROUTER),
    ...known(bridge, "Bridge", bridgeAbi),
    ...known(wrappedNative, `Wrapped ${native}`, WRAPPED_TOKEN),
    ...tokens.flatMap(({ asset, symbol }) =>
      asset === "native" ? [] : known(asset, `${symbol} token`, TOKEN),
    ),
    ...known(PERMIT2, "Permit2", PERMIT2_CALLS),
  ];
  return [...Map.groupBy(all, ({ address }) => address).values()].flatMap(([first]) => first ?? []);
}

function known(address: Address | null | undefined, name: string, abi: Abi): KnownContract[] {
  if (!address) return [];
  const written = abi.flatMap((item) =>
    item.type === "function" && !["view", "pure"].includes(item.stateMutability) ? item.name : [],
  );
  return [{ address: getAddress(address), name, methods: [...new Set(written)] }];
}
