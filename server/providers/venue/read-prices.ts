import { type Address, decodeFunctionResult, encodeFunctionData, formatUnits } from "viem";
import { poolAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type Pool, tokenOf } from "./pools.ts";
import { readMany } from "./read-many.ts";
import type { VenuePrices } from "./venue.ts";

/** Prices are told with so many decimals, and reckoned with three more. */
const DIGITS = 15;
const ONE = 10n ** 18n;
const Q96 = 1n << 96n;
const Q192 = 1n << 192n;
const AVERAGE_SECONDS = 1800;

/** How a pool stands: what token 0 is worth in token 1 (times 2^192), and how much of each trades there around that. */
interface State extends Pool {
  spot: bigint;
  /** Over the last half hour; null where the pool does not remember that long. */
  average: bigint | null;
  reserve0: bigint;
  reserve1: bigint;
}

/** What a smallest unit is worth in smallest units of USD, times 10^36; and how deep the market behind it is. */
interface Valued {
  spot: bigint;
  average: bigint | null;
  depth: bigint;
}

/** Values every listed asset in USD, directly or over one other token, by the deepest pools there are. */
export async function readPrices(chain: Chain, pools: readonly Pool[]): Promise<VenuePrices> {
  const states = await readStates(chain, pools);
  const usd = chain.contracts.usd;
  const dollar: Valued = { spot: ONE * ONE, average: ONE * ONE, depth: 1n << 255n };
  const direct = new Map<Address, Valued>();
  for (const state of states) {
    if (state.token0 === usd) raise(direct, state.token1, over(state, usd, dollar));
    if (state.token1 === usd) raise(direct, state.token0, over(state, usd, dollar));
  }
  const values = new Map(direct);
  for (const state of states) {
    const { token0, token1 } = state;
    const [known0, known1] = [direct.get(token0), direct.get(token1)];
    if (known1 && token0 !== usd) raise(values, token0, over(state, token1, known1));
    if (known0 && token1 !== usd) raise(values, token1, over(state, token0, known0));
  }
  const usdDecimals = chain.tokens.find(({ asset }) => asset === usd)?.decimals ?? 6;
  return new Map(
    chain.tokens.flatMap(({ asset, decimals }) => {
      if (asset === usd) return [[asset, { spotUsd: "1", averageUsd: "1" }]];
      const value = values.get(tokenOf(chain, asset));
      if (!value) return [];
      const unit = 10n ** BigInt(usdDecimals + 18 - DIGITS);
      const whole = (price: bigint) =>
        formatUnits(((price * 10n ** BigInt(decimals)) / ONE + unit / 2n) / unit, DIGITS);
      const averageUsd = value.average === null ? null : whole(value.average);
      return [[asset, { spotUsd: whole(value.spot), averageUsd }]];
    }),
  );
}

async function readStates(chain: Chain, pools: readonly Pool[]): Promise<State[]> {
  const asked = [
    encodeFunctionData({ abi: poolAbi, functionName: "slot0" }),
    encodeFunctionData({ abi: poolAbi, functionName: "liquidity" }),
    encodeFunctionData({ abi: poolAbi, functionName: "observe", args: [[AVERAGE_SECONDS, 0]] }),
  ];
  const answers = await readMany(
    chain,
    pools.flatMap(({ address: target }) => asked.map((data) => ({ target, data }))),
  );
  return pools.flatMap((pool, at) => {
    const [slot, depth, seen] = answers.slice(asked.length * at);
    if (!slot || !depth) return [];
    const [sqrtPrice, tick] = decodeFunctionResult({ abi: poolAbi, functionName: "slot0", data: slot });
    const liquidity = decodeFunctionResult({ abi: poolAbi, functionName: "liquidity", data: depth });
    if (sqrtPrice === 0n || liquidity === 0n) return [];
    const observed = seen && decodeFunctionResult({ abi: poolAbi, functionName: "observe", data: seen })[0];
    const spot = sqrtPrice * sqrtPrice;
    const average = averageOf(observed ?? [], { tick: BigInt(tick), spot });
    const [reserve0, reserve1] = [(liquidity * Q96) / sqrtPrice, (liquidity * sqrtPrice) / Q96];
    return [{ ...pool, spot, average, reserve0, reserve1 }];
  });
}

/** The price at the mean of the ticks between two observations; a tick is too coarse to tell a calm pool's from its spot. */
function averageOf([before, last]: readonly bigint[], now: { tick: bigint; spot: bigint }): bigint | null {
  if (before === undefined || last === undefined) return null;
  const mean = (last - before) / BigInt(AVERAGE_SECONDS);
  const apart = mean - now.tick;
  return apart >= -1n && apart <= 1n ? now.spot : priceAt(mean);
}

/** 1.0001 to the power of the tick, times 2^192. */
function priceAt(tick: bigint): bigint {
  let power = 1n << 256n;
  let factor = (power * 10_001n) / 10_000n;
  for (let rest = tick < 0n ? -tick : tick; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * factor) >> 256n;
    factor = (factor * factor) >> 256n;
  }
  return tick < 0n ? (1n << 448n) / power : power >> 64n;
}

/** What the pool's token beside `other` is worth, when `other` is worth `known`. */
function over(state: State, other: Address, known: Valued): Valued {
  const otherIs0 = state.token0 === other;
  const through = (value: bigint, price: bigint) =>
    otherIs0 ? (value * Q192) / price : (value * price) / Q192;
  const depth = ((otherIs0 ? state.reserve0 : state.reserve1) * known.spot) / (ONE * ONE);
  const remembered = known.average !== null && state.average !== null && state.average > 0n;
  return {
    spot: through(known.spot, state.spot),
    average: remembered ? through(known.average as bigint, state.average as bigint) : null,
    depth: depth < known.depth ? depth : known.depth,
  };
}

function raise(values: Map<Address, Valued>, token: Address, found: Valued): void {
  const held = values.get(token);
  if (!held || found.depth > held.depth) values.set(token, found);
}
