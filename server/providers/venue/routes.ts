import { type Address, concatHex, type Hex, numberToHex } from "viem";
import type { Pool } from "./pools.ts";

/** One pool of a route, in the direction of the trade. */
export interface Hop {
  pool: Address;
  tokenIn: Address;
  tokenOut: Address;
  /** In millionths. */
  fee: number;
}

/** Returns every route of one or two pools from one token to the other. */
export function findRoutes(pools: readonly Pool[], tokenIn: Address, tokenOut: Address): readonly Hop[][] {
  if (tokenIn === tokenOut) return [];
  return hopsFrom(pools, tokenIn).flatMap((first) => {
    if (first.tokenOut === tokenOut) return [[first]];
    return hopsFrom(pools, first.tokenOut)
      .filter((second) => second.tokenOut === tokenOut)
      .map((second) => [first, second]);
  });
}

function hopsFrom(pools: readonly Pool[], token: Address): Hop[] {
  return pools.flatMap(({ address: pool, token0, token1, fee }) => {
    if (token0 === token) return [{ pool, tokenIn: token0, tokenOut: token1, fee }];
    return token1 === token ? [{ pool, tokenIn: token1, tokenOut: token0, fee }] : [];
  });
}

/** Returns the route in the encoding of the venue's contracts; for an exact output it is reversed. */
export function pathOf(hops: readonly Hop[], direction: "forwards" | "backwards"): Hex {
  const steps =
    direction === "forwards"
      ? hops.map(({ tokenIn, tokenOut, fee }) => ({ from: tokenIn, to: tokenOut, fee }))
      : hops.toReversed().map(({ tokenIn, tokenOut, fee }) => ({ from: tokenOut, to: tokenIn, fee }));
  const parts = steps.flatMap(({ to, fee }) => [numberToHex(fee, { size: 3 }), to]);
  return concatHex([steps[0]?.from ?? "0x", ...parts]);
}
