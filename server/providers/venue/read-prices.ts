import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  formatUnits,
  hexToBigInt,
  slice,
} from "viem";
import { defined } from "#server/base/defined.ts";
import { erc20Abi, poolAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type Pool, tokenOf } from "./pools.ts";
import { readMany } from "./read-many.ts";
import type { VenuePrices } from "./venue.ts";

/** The decimals of prices, which are calculated with three more. */
const DIGITS = 15;
const ONE = 10n ** 18n;
const Q96 = 1n << 96n;
const Q128 = 1n << 128n;
const Q192 = 1n << 192n;
/** The modulus of a pool's sums of seconds per liquidity. */
const WRAP = 1n << 160n;
const AVERAGE_SECONDS = 1800;

/** Pools with less than 1/SHARE of the heaviest one's weight are ignored. */
const SHARE = 10n;
/** A pool that is now this many times as deep as the one that prices rest on must agree with it. */
const OUTGROWN = 100n;
/** The maximum ratio between prices of one asset, as a fraction. */
const APART = { most: 12n, of: 10n };

/** The state of a pool: the price of token 0 in token 1 (times 2^192), and its balances. */
interface State extends Pool {
  sqrtPrice: bigint;
  spot: bigint;
  /** The average over the last half hour; null if the pool's observations do not go back that far. */
  average: bigint | null;
  /**
   * The liquidity at the current price, and its harmonic mean over the half hour: 0 if the pool was empty or has no
   * observations.
   */
  liquidity: { now: bigint; lasting: bigint };
  held0: bigint;
  held1: bigint;
}

/** The value of a smallest unit in smallest units of USD, times 10^36, by one path over pools. */
interface Valued {
  spot: bigint;
  average: bigint | null;
  /** The lowest and highest of its spots and averages. */
  low: bigint;
  high: bigint;
  /** The USD liquidity of the narrowest pool on the path: over the whole half hour, and now. */
  weight: bigint;
  depth: bigint;
}

/**
 * Values every listed asset in USD, directly or over one other token, by the pool with the most weight over the last
 * half hour. Liquidity that is added for a moment, or on one side only, has no weight.
 */
export async function readPrices(
  chain: Chain,
  pools: readonly Pool[],
  named: readonly Address[] | null,
): Promise<VenuePrices> {
  const counted = pools.filter(({ address }) => named === null || named.includes(address));
  const states = await readStates(chain, counted, named !== null);
  const usd = chain.contracts.usd;
  const one = ONE * ONE;
  const endless = 1n << 255n;
  const dollar: Valued = { spot: one, average: one, low: one, high: one, weight: endless, depth: endless };
  const direct = waysOver(states, new Map([[usd, dollar]]));
  const known = new Map([...direct].map(([token, ways]) => [token, settle(ways).value]));
  const indirect = waysOver(states, known);
  const usdDecimals = chain.tokens.find(({ asset }) => asset === usd)?.decimals ?? 6;
  return new Map(
    chain.tokens.flatMap(({ asset, decimals }) => {
      if (asset === usd) return [[asset, { spotUsd: "1", averageUsd: "1", reliable: true }]];
      const token = tokenOf(chain, asset);
      const ways = [...(direct.get(token) ?? []), ...(indirect.get(token) ?? [])];
      if (ways.length === 0) return [];
      const { value, reliable } = settle(ways);
      const unit = 10n ** BigInt(usdDecimals + 18 - DIGITS);
      const whole = (price: bigint) =>
        formatUnits(((price * 10n ** BigInt(decimals)) / ONE + unit / 2n) / unit, DIGITS);
      const averageUsd = value.average === null ? null : whole(value.average);
      return [[asset, { spotUsd: whole(value.spot), averageUsd, reliable }]];
    }),
  );
}

/** Returns every path over one pool to a token of known value, by the token at its other end. */
function waysOver(states: readonly State[], known: ReadonlyMap<Address, Valued>): Map<Address, Valued[]> {
  const ways = states.flatMap((state) => {
    const [known0, known1] = [known.get(state.token0), known.get(state.token1)];
    return [
      ...(known0 ? [{ token: state.token1, value: over(state, state.token0, known0) }] : []),
      ...(known1 ? [{ token: state.token0, value: over(state, state.token1, known1) }] : []),
    ];
  });
  return new Map(
    [...Map.groupBy(ways, ({ token }) => token)].map(([token, of]) => [token, of.map(({ value }) => value)]),
  );
}

/**
 * Returns the value by the heaviest path, and whether the other paths of some weight agree, and those that are now far
 * deeper: the heaviest is then shallow, or the deeper one was empty for a moment. Depth alone is no reason for doubt, as
 * anybody can add liquidity at the market's price for a moment; at another price, everybody may trade against it.
 */
function settle(ways: readonly Valued[]): { value: Valued; reliable: boolean } {
  const by = (measure: "weight" | "depth") => ways.reduce((a, b) => (b[measure] > a[measure] ? b : a));
  const [heaviest, deepest] = [by("weight"), by("depth")];
  const outgrown = heaviest.weight * OUTGROWN;
  // All the deeper ones: the deepest may be there to hide another.
  const counted = ways.filter(({ weight, depth }) => weight * SHARE >= heaviest.weight || depth > outgrown);
  const low = least(...counted.map((way) => way.low));
  const high = most(...counted.map((way) => way.high));
  const reliable = heaviest.weight > 0n && high * APART.of <= low * APART.most;
  const basis = reliable || deepest.depth <= outgrown ? heaviest : deepest;
  return { value: { ...basis, low, high, depth: deepest.depth }, reliable };
}

async function readStates(chain: Chain, pools: readonly Pool[], trusted: boolean): Promise<State[]> {
  const asked = [
    encodeFunctionData({ abi: poolAbi, functionName: "slot0" }),
    encodeFunctionData({ abi: poolAbi, functionName: "liquidity" }),
    encodeFunctionData({ abi: poolAbi, functionName: "observe", args: [[AVERAGE_SECONDS, 0]] }),
  ];
  const answers = await readMany(
    chain,
    pools.flatMap(({ address, token0, token1 }) => {
      const held = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] });
      return [
        ...asked.map((data) => ({ target: address, data })),
        ...[token0, token1].map((target) => ({ target, data: held })),
      ];
    }),
  );
  return pools.flatMap((pool, at) => {
    const [slot, depth, seen, ...held] = answers.slice(5 * at, 5 * at + 5);
    if (!slot || !depth) return [];
    const [sqrtPrice, tick] = decodeFunctionResult({ abi: poolAbi, functionName: "slot0", data: slot });
    const now = decodeFunctionResult({ abi: poolAbi, functionName: "liquidity", data: depth });
    if (sqrtPrice === 0n || now === 0n) return [];
    const [ticks, perLiquidity] = seen
      ? decodeFunctionResult({ abi: poolAbi, functionName: "observe", data: seen })
      : [[], []];
    const spot = sqrtPrice * sqrtPrice;
    const average = averageOf(ticks, { tick: BigInt(tick), spot });
    // A pool that the operator names counts even without observations.
    const lasting = lastingOf(perLiquidity) ?? (trusted ? now : 0n);
    const [held0 = 0n, held1 = 0n] = held.map((data) =>
      data && data.length >= 66 ? hexToBigInt(slice(data, 0, 32)) : 0n,
    );
    return [{ ...pool, sqrtPrice, spot, average, liquidity: { now, lasting }, held0, held1 }];
  });
}

/** Returns the harmonic mean of the liquidity between two observations: a moment without any makes it almost zero. */
function lastingOf([before, last]: readonly bigint[]): bigint | null {
  if (before === undefined || last === undefined) return null;
  const passed = (last - before + WRAP) % WRAP;
  // One second without liquidity adds 2^128.
  return passed >= Q128 ? 0n : (BigInt(AVERAGE_SECONDS) * Q128) / passed;
}

/**
 * Returns the price at the mean tick between two observations; a whole tick is too coarse to compare with the spot of a
 * calm pool.
 */
function averageOf([before, last]: readonly bigint[], now: { tick: bigint; spot: bigint }): bigint | null {
  if (before === undefined || last === undefined) return null;
  const mean = (last - before) / BigInt(AVERAGE_SECONDS);
  const apart = mean - now.tick;
  return apart >= -1n && apart <= 1n ? now.spot : priceAt(mean);
}

/** Returns 1.0001 to the power of the tick, times 2^192. */
function priceAt(tick: bigint): bigint {
  let power = 1n << 256n;
  let factor = (power * 10_001n) / 10_000n;
  for (let rest = tick < 0n ? -tick : tick; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * factor) >> 256n;
    factor = (factor * factor) >> 256n;
  }
  return tick < 0n ? (1n << 448n) / power : power >> 64n;
}

/** Returns the value of the pool's token beside `other`, whose value is `known`. */
function over(state: State, other: Address, known: Valued): Valued {
  const { sqrtPrice, liquidity, held0, held1 } = state;
  const otherIs0 = state.token0 === other;
  const through = (value: bigint, price: bigint) =>
    otherIs0 ? (value * Q192) / price : (value * price) / Q192;
  const [held, opposite] = otherIs0 ? [held0, held1] : [held1, held0];
  // Both balances must really exist, each valued by the pool's price: a false price costs proportionally more.
  const there = least(held, otherIs0 ? (opposite * Q192) / state.spot : (opposite * state.spot) / Q192);
  const worth = (traded: bigint) => {
    const around = otherIs0 ? (traded * Q96) / sqrtPrice : (traded * sqrtPrice) / Q96;
    return (least(around, there) * known.spot) / (ONE * ONE);
  };
  const prices = [state.spot, state.average ?? state.spot];
  // The dearer token 0 is in the pool, the cheaper token 1.
  const [cheap, dear] = otherIs0 ? [most(...prices), least(...prices)] : [least(...prices), most(...prices)];
  return {
    spot: through(known.spot, state.spot),
    average: known.average !== null && state.average ? through(known.average, state.average) : null,
    low: through(known.low, cheap),
    high: through(known.high, dear),
    weight: least(worth(liquidity.lasting), known.weight),
    depth: least(worth(liquidity.now), known.depth),
  };
}

const least = (...values: bigint[]) => defined(values.toSorted((one, other) => (one < other ? -1 : 1))[0]);
const most = (...values: bigint[]) => defined(values.toSorted((one, other) => (one < other ? 1 : -1))[0]);
