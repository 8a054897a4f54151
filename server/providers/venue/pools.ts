import { type Address, decodeFunctionResult, encodeFunctionData, getAddress, zeroAddress } from "viem";
import { factoryAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { readMany } from "./read-many.ts";

export interface Pool {
  address: Address;
  token0: Address;
  token1: Address;
  /** The pool's fee, in millionths of the input. */
  fee: number;
}

/** The fee tiers that Uniswap's factories know. */
const FEES = [100, 500, 3000, 10_000];
const LIFE_MS = 60_000;

interface KnownPools {
  pools: Promise<readonly Pool[]>;
  at: number;
}

const known = new WeakMap<Chain, KnownPools>();

/** Returns the address under which the venue trades an asset: the native one is traded wrapped. */
export function tokenOf({ contracts }: Chain, asset: "native" | Address): Address {
  return asset === "native" ? contracts.wrappedNative : asset;
}

/** Returns the pools between a chain's listed tokens, as found at most `atMostMs` ago. */
export async function poolsOf(chain: Chain, factory: Address, atMostMs = LIFE_MS): Promise<readonly Pool[]> {
  const last = known.get(chain);
  if (last && Date.now() - last.at <= atMostMs) return last.pools;
  const found: KnownPools = { pools: findPools(chain, factory), at: Date.now() };
  known.set(chain, found);
  // A failed search is repeated by the next caller.
  found.pools.catch(() => known.get(chain) === found && known.delete(chain));
  return found.pools;
}

async function findPools(chain: Chain, factory: Address): Promise<readonly Pool[]> {
  const { wrappedNative, usd } = chain.contracts;
  const listed = chain.tokens.map(({ asset }) => tokenOf(chain, asset));
  const tokens = [...new Set([wrappedNative, usd, ...listed].map((token) => getAddress(token)))].sort(
    (a, b) => (BigInt(a) < BigInt(b) ? -1 : 1),
  );
  const wanted = tokens.flatMap((token0, at) =>
    tokens.slice(at + 1).flatMap((token1) => FEES.map((fee) => ({ token0, token1, fee }))),
  );
  const answers = await readMany(
    chain,
    wanted.map(({ token0, token1, fee }) => ({
      target: factory,
      data: encodeFunctionData({ abi: factoryAbi, functionName: "getPool", args: [token0, token1, fee] }),
    })),
  );
  return wanted.flatMap((pool, at) => {
    const data = answers[at];
    if (!data) return [];
    const address = decodeFunctionResult({ abi: factoryAbi, functionName: "getPool", data });
    return address === zeroAddress ? [] : [{ ...pool, address }];
  });
}
