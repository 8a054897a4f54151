import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { quoterAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { buildSwap } from "./build-swap.ts";
import { poolsOf, tokenOf } from "./pools.ts";
import { readFill } from "./read-fill.ts";
import { readMany } from "./read-many.ts";
import { readPrices } from "./read-prices.ts";
import { findRoutes, type Hop, pathOf } from "./routes.ts";
import type { Asset, Venue, VenueQuote } from "./venue.ts";

const MILLION = 1_000_000n;
/** If no route is found, the known pools may be outdated after this time. */
const LOOK_AGAIN_MS = 2000;

/** Returns Uniswap v3 (QuoterV2, SwapRouter) at the chain's addresses. */
export function openUniswap(
  chain: Chain,
  { factory, quoter, router, pools: named = null }: NonNullable<Chain["contracts"]["venue"]>,
): Venue {
  async function routesOf(from: Asset, to: Asset) {
    const [tokenIn, tokenOut] = [tokenOf(chain, from), tokenOf(chain, to)];
    const routes = findRoutes(await poolsOf(chain, factory), tokenIn, tokenOut);
    if (routes.length > 0) return routes;
    return findRoutes(await poolsOf(chain, factory, LOOK_AGAIN_MS), tokenIn, tokenOut);
  }

  async function simulate(routes: readonly Hop[][], encode: (hops: readonly Hop[]) => Hex) {
    const answers = await readMany(
      chain,
      routes.map((hops) => ({ target: quoter, data: encode(hops) })),
    );
    return routes.flatMap((hops, at) => (answers[at] ? [{ hops, data: answers[at] }] : []));
  }

  return {
    spender: router,

    async quoteExactIn({ from, to, amountIn }) {
      const priced = await simulate(await routesOf(from, to), (hops) =>
        encodeFunctionData({
          abi: quoterAbi,
          functionName: "quoteExactInput",
          args: [pathOf(hops, "forwards"), amountIn],
        }),
      );
      const quotes = priced.map(({ hops, data }): VenueQuote => {
        const [amountOut, , , gas] = decodeFunctionResult({
          abi: quoterAbi,
          functionName: "quoteExactInput",
          data,
        });
        return { ...trade(from, to, hops, amountIn, gas), kind: "exactIn", amountIn, amountOut };
      });
      return best(quotes, (a, b) => a.amountOut > b.amountOut);
    },

    async quoteExactOut({ from, to, amountOut }) {
      const priced = await simulate(await routesOf(from, to), (hops) =>
        encodeFunctionData({
          abi: quoterAbi,
          functionName: "quoteExactOutput",
          args: [pathOf(hops, "backwards"), amountOut],
        }),
      );
      const quotes = priced.map(({ hops, data }): VenueQuote => {
        const [amountIn, , , gas] = decodeFunctionResult({
          abi: quoterAbi,
          functionName: "quoteExactOutput",
          data,
        });
        return { ...trade(from, to, hops, amountIn, gas), kind: "exactOut", amountIn, amountOut };
      });
      return best(quotes, (a, b) => a.amountIn < b.amountIn);
    },

    buildSwap: (order) => buildSwap(router, order),
    readFill: (receipt, trade) =>
      readFill(receipt, { ...trade, router, wrappedNative: chain.contracts.wrappedNative }),
    readPrices: async () => readPrices(chain, await poolsOf(chain, factory), named),
  };
}

function trade(from: Asset, to: Asset, hops: readonly Hop[], amountIn: bigint, gas: bigint) {
  const kept = hops.reduce((left, { fee }) => left - (left * BigInt(fee)) / MILLION, amountIn);
  // The quoter counts the pools' gas only; transfers, wrapping and the transaction itself add to it.
  const limit = (gas * 13n) / 10n + 120_000n + 60_000n * BigInt(hops.length);
  return { from, to, hops, fee: amountIn - kept, gas: limit };
}

function best(
  quotes: readonly VenueQuote[],
  better: (a: VenueQuote, b: VenueQuote) => boolean,
): VenueQuote | null {
  return quotes.reduce<VenueQuote | null>(
    (chosen, quote) =>
      quote.amountIn > 0n && quote.amountOut > 0n && (!chosen || better(quote, chosen)) ? quote : chosen,
    null,
  );
}
