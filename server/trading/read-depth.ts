import { z } from "zod";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { decimalAmount } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { per, priceOf } from "./amounts.ts";
import { type Market, marketOf } from "./markets.ts";
import { quoteFor } from "./plan-trade.ts";
import { symbol } from "./schema.ts";
import type { SIDES } from "./statuses.ts";

/** The sizes of the quoted orders, in USD. */
const SIZES = ["100", "1000", "10000", "100000", "1000000"];
/** How long an answer is cached. */
const FRESH_MS = 5000;
const SIGNIFICANT = 6;

const Level = z.object({
  sizeUsd: decimalAmount.describe("The value of `quantity` at `priceUsd`, in USD."),
  quantity: decimalAmount.describe("The quantity of the base asset, in whole units."),
  buyPrice: decimalAmount
    .nullable()
    .describe(
      "The average price of a unit if `quantity` is bought, in USD, including the pools' fees; null if the pools hold too little.",
    ),
  sellPrice: decimalAmount
    .nullable()
    .describe(
      "The average price of a unit if `quantity` is sold, in USD, after the pools' fees; null if the pools hold too little.",
    ),
});

const Depth = z
  .object({
    symbol,
    priceUsd: decimalAmount
      .nullable()
      .describe("The current price of one unit in USD; null if there is no reliable price."),
    levels: z
      .array(Level)
      .describe("One entry per order size, the smallest first; empty if there is no price."),
    observedAt: instant.describe("When the pools were read."),
  })
  .meta({ id: "MarketDepth", description: "The average prices of orders of several sizes." });

export const readDepth = operation({
  id: "trading.depth.read",
  method: "GET",
  path: "/trading/depth",
  summary: "Read the depth of a market",
  description: `Returns the current average prices of orders of ${SIZES.map((size) => Number(size).toLocaleString("en")).join(", ")} USD, each by itself, over the best route of at most two pools. An answer may be ${FRESH_MS / 1000} seconds old.`,
  scope: "trading:read",
  service: "managed-trading",
  query: z.object({ symbol }),
  output: z.object({ depth: Depth }),
  errors: ["service_unavailable"],
  examples: { query: { symbol: "ETH-USD" } },

  async handler({ query, db }) {
    const market = marketOf(query.symbol, "query.symbol");
    const { chain, base } = market;
    const priceUsd = (await pricesOf(db, chain.network, [base.asset])).get(base.asset)?.spotUsd ?? null;
    const { levels, at } = await levelsOf(market, priceUsd);
    return {
      depth: {
        symbol: market.symbol,
        priceUsd,
        levels,
        observedAt: at.toISOString(),
      },
    };
  },
});

interface Read {
  at: Date;
  levels: Promise<z.input<typeof Level>[]>;
}

/** The last read of the pools, by market. */
const known = new WeakMap<Market["base"], Read>();

/** Reads the pools, once for all requests within a few seconds. */
async function levelsOf(market: Market, priceUsd: string | null) {
  if (priceUsd === null) return { at: currentTime(), levels: [] };
  const last = known.get(market.base);
  const read =
    last && currentMs() - last.at.getTime() < FRESH_MS
      ? last
      : {
          at: currentTime(),
          levels: Promise.all(SIZES.map((sizeUsd) => levelOf(market, sizeUsd, priceUsd))),
        };
  known.set(market.base, read);
  // The next request repeats a failed read.
  read.levels.catch(() => known.get(market.base) === read && known.delete(market.base));
  return { at: read.at, levels: await read.levels };
}

async function levelOf(market: Market, sizeUsd: string, priceUsd: string): Promise<z.input<typeof Level>> {
  const quantity = quantityOf(market, sizeUsd, priceUsd);
  // One unit of a token without decimals may be worth more than the order.
  if (quantity === 0n) return { sizeUsd, quantity: "0", buyPrice: null, sellPrice: null };
  const priceTo = async (side: (typeof SIDES)[number]) => {
    const quote = await callChain(market.chain, () => quoteFor(market, side, quantity));
    if (!quote) return null;
    return side === "buy"
      ? priceOf(market, quantity, quote.amountIn, "up")
      : priceOf(market, quantity, quote.amountOut);
  };
  const [buyPrice, sellPrice] = await Promise.all([priceTo("buy"), priceTo("sell")]);
  return { sizeUsd, quantity: fromUnits(quantity, market.base.decimals), buyPrice, sellPrice };
}

/** Returns about as much of the base asset as is worth this amount, in smallest units, with few digits. */
function quantityOf({ base }: Market, sizeUsd: string, priceUsd: string): bigint {
  const [whole = "0", fraction = ""] = (per(sizeUsd, priceUsd) ?? "0").split(".");
  const units = BigInt(whole + fraction.slice(0, base.decimals).padEnd(base.decimals, "0"));
  const dropped = 10n ** BigInt(Math.max(0, units.toString().length - SIGNIFICANT));
  return units < dropped ? units : (units / dropped) * dropped;
}
