import { z } from "zod";
import { decimalAmount, network } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { readMarkets } from "./markets.ts";
import { symbol } from "./schema.ts";

const Market = z.object({
  symbol,
  network: network.describe("The chain on which it is traded."),
  priceUsd: decimalAmount
    .nullable()
    .describe("The value of one unit now; null without a price that can be relied on."),
  averageUsd: decimalAmount.nullable().describe("The average of the last 30 minutes."),
  observedAt: instant.nullable().describe("When that was seen."),
});

export const listMarkets = operation({
  id: "trading.markets.list",
  method: "GET",
  path: "/trading/markets",
  summary: "List markets",
  description: "Lists the symbols that can be ordered, with their last known prices; none without a chain.",
  scope: "trading:read",
  service: "managed-trading",
  output: z.object({ markets: z.array(Market).describe("By the chains' own order.") }),

  async handler({ db }) {
    // If two chains list a symbol, the first one's market counts.
    const markets = readMarkets().filter(
      ({ symbol }, index, all) => all.findIndex((market) => market.symbol === symbol) === index,
    );
    const prices = await Promise.all(
      markets.map(async ({ chain, base }) =>
        (await pricesOf(db, chain.network, [base.asset])).get(base.asset),
      ),
    );
    return {
      markets: markets.map(({ symbol, chain }, index) => {
        const price = prices[index];
        return {
          symbol,
          network: chain.network,
          priceUsd: price?.spotUsd ?? null,
          averageUsd: price?.averageUsd ?? null,
          observedAt: price?.observedAt.toISOString() ?? null,
        };
      }),
    };
  },
});
