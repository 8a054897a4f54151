import { z } from "zod";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { decimalAmount, network } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { per, priceOf } from "./amounts.ts";
import { type Market, marketOf } from "./markets.ts";
import { quoteFor } from "./plan-trade.ts";
import { symbol } from "./schema.ts";
import type { SIDES } from "./statuses.ts";

/** The sizes of the orders that are asked about, in USD. */
const SIZES = ["100", "1000", "10000", "100000", "1000000"];
/** For how long an answer is given to others who ask. */
const FRESH_MS = 5000;
const SIGNIFICANT = 6;

const Level = z.object({
  sizeUsd: decimalAmount.describe("What the order's quantity is worth at `priceUsd`."),
  quantity: decimalAmount.describe("The quantity of the base asset, in whole units."),
  buyPrice: decimalAmount
    .nullable()
    .describe("What a unit costs on average where this is bought, the pools' fees included; null: too much."),
  sellPrice: decimalAmount
    .nullable()
    .describe("What a unit brings on average where this is sold, without the pools' fees; null: too much."),
});

const Depth = z.object({
  symbol,
  network: network.describe("The chain on which it is traded."),
  priceUsd: decimalAmount
    .nullable()
    .describe("What one unit is worth now; null without a price that can be relied on."),
  levels: z.array(Level).describe("The smallest order first; none without a price."),
  observedAt: instant.describe("When the pools were asked."),
});

export const readDepth = operation({
  id: "trading.depth.read",
  method: "GET",
  path: "/trading/depth",
  summary: "Read the depth of a market",
  description: `What orders of ${SIZES.map((size) => Number(size).toLocaleString("en")).join(", ")} USD would cost or bring now, each by itself, over the best route of at most two pools; an answer may be ${FRESH_MS / 1000} seconds old.`,
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
        network: chain.network,
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

/** The last answers of the pools, by what each market trades. */
const known = new WeakMap<Market["base"], Read>();

/** Asks the pools, once for all who ask within a few seconds. */
async function levelsOf(market: Market, priceUsd: string | null) {
  if (priceUsd === null) return { at: new Date(), levels: [] };
  const last = known.get(market.base);
  const read =
    last && Date.now() - last.at.getTime() < FRESH_MS
      ? last
      : { at: new Date(), levels: Promise.all(SIZES.map((sizeUsd) => levelOf(market, sizeUsd, priceUsd))) };
  known.set(market.base, read);
  // What could not be asked is asked again by the next.
  read.levels.catch(() => known.get(market.base) === read && known.delete(market.base));
  return { at: read.at, levels: await read.levels };
}

async function levelOf(market: Market, sizeUsd: string, priceUsd: string): Promise<z.input<typeof Level>> {
  const quantity = quantityOf(market, sizeUsd, priceUsd);
  // Of a token without decimals one unit may be worth more.
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

/** About as much of the base asset as is worth this, in smallest units, with few digits. */
function quantityOf({ base }: Market, sizeUsd: string, priceUsd: string): bigint {
  const [whole = "0", fraction = ""] = (per(sizeUsd, priceUsd) ?? "0").split(".");
  const units = BigInt(whole + fraction.slice(0, base.decimals).padEnd(base.decimals, "0"));
  const dropped = 10n ** BigInt(Math.max(0, units.toString().length - SIGNIFICANT));
  return units < dropped ? units : (units / dropped) * dropped;
}
