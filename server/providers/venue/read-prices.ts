import { type Address, decodeFunctionResult, encodeFunctionData, formatUnits } from "viem";
import { poolAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type Pool, tokenOf } from "./pools.ts";
import { readMany } from "./read-many.ts";
import type { SpotPrices } from "./venue.ts";

const DIGITS = 18;
const ONE = 10n ** BigInt(DIGITS);
const Q96 = 1n << 96n;

/** How a pool stands: its price, and how much of each token trades there around it. */
interface State extends Pool {
  sqrtPrice: bigint;
  reserve0: bigint;
  reserve1: bigint;
}

/** What a smallest unit is worth in smallest units of USD, times 10^18 squared; and how deep the market behind it is. */
interface Valued {
  price: bigint;
  depth: bigint;
}

/** Values every listed asset in USD, directly or over one other token, by the deepest pools there are. */
export async function readPrices(chain: Chain, pools: readonly Pool[]): Promise<SpotPrices> {
  const states = await readStates(chain, pools);
  const usd = chain.contracts.usd;
  const direct = new Map<Address, Valued>();
  for (const state of states) {
    if (state.token0 === usd) raise(direct, state.token1, over(state, usd, dollar));
    if (state.token1 === usd) raise(direct, state.token0, over(state, usd, dollar));
  }
  const values = new Map(direct);
  for (const state of states) {
    for (const [token, other] of [
      [state.token0, state.token1],
      [state.token1, state.token0],
    ] as const) {
      const known = direct.get(other);
      if (known && token !== usd) raise(values, token, over(state, other, known));
    }
  }
  const decimals = chain.tokens.find(({ asset }) => asset === usd)?.decimals ?? 6;
  return new Map(
    chain.tokens.flatMap((token) => {
      if (token.asset === usd) return [[token.asset, "1"]];
      const value = values.get(tokenOf(chain, token.asset));
      if (!value) return [];
      const whole = (value.price * 10n ** BigInt(token.decimals)) / (ONE * 10n ** BigInt(decimals));
      return [[token.asset, formatUnits(whole, DIGITS)]];
    }),
  );
}

const dollar: Valued = { price: ONE * ONE, depth: 1n << 255n };

async function readStates(chain: Chain, pools: readonly Pool[]): Promise<State[]> {
  const answers = await readMany(
    chain,
    pools.flatMap(({ address: target }) => [
      { target, data: encodeFunctionData({ abi: poolAbi, functionName: "slot0" }) },
      { target, data: encodeFunctionData({ abi: poolAbi, functionName: "liquidity" }) },
    ]),
  );
  return pools.flatMap((pool, at) => {
    const [slot, depth] = [answers[2 * at], answers[2 * at + 1]];
    if (!slot || !depth) return [];
    const [sqrtPrice] = decodeFunctionResult({ abi: poolAbi, functionName: "slot0", data: slot });
    const liquidity = decodeFunctionResult({ abi: poolAbi, functionName: "liquidity", data: depth });
    if (sqrtPrice === 0n || liquidity === 0n) return [];
    const [reserve0, reserve1] = [(liquidity * Q96) / sqrtPrice, (liquidity * sqrtPrice) / Q96];
    return [{ ...pool, sqrtPrice, reserve0, reserve1 }];
  });
}

/** What the pool's token beside `other` is worth, when `other` is worth `known`. */
function over({ token0, sqrtPrice, reserve0, reserve1 }: State, other: Address, known: Valued): Valued {
  const [above, below] = [sqrtPrice * sqrtPrice, Q96 * Q96];
  const otherIs0 = token0 === other;
  const price = otherIs0 ? (known.price * below) / above : (known.price * above) / below;
  const depth = ((otherIs0 ? reserve0 : reserve1) * known.price) / (ONE * ONE);
  return { price, depth: depth < known.depth ? depth : known.depth };
}

function raise(values: Map<Address, Valued>, token: Address, found: Valued): void {
  const held = values.get(token);
  if (!held || found.depth > held.depth) values.set(token, found);
}
