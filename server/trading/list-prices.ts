import { and, desc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { assetPriceSamples } from "#db/schema/prices.ts";
import { decimalAmount } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { marketOf } from "./markets.ts";
import { symbol } from "./schema.ts";

export const listPrices = operation({
  id: "trading.prices.list",
  method: "GET",
  path: "/trading/prices",
  summary: "List prices of a market",
  description:
    "Returns the prices of the venue's pools in the last 3 hours, the last one of each minute, oldest first.",
  scope: "trading:read",
  service: "managed-trading",
  query: z.object({ symbol }),
  output: z.object({
    prices: z
      .array(
        z.object({
          at: instant.describe("When it was seen."),
          priceUsd: decimalAmount.describe("The value of one unit."),
        }),
      )
      .describe("At most one a minute."),
  }),
  examples: { query: { symbol: "ETH-USD" } },

  async handler({ query, db }) {
    const { chain, base } = marketOf(query.symbol, "query.symbol");
    const { network, asset, observedAt, spotUsd } = assetPriceSamples;
    const minute = sql`date_bin('1 minute', ${observedAt}, 'epoch'::timestamptz)`;
    const rows = await db
      .selectDistinctOn([minute], { at: observedAt, priceUsd: spotUsd })
      .from(assetPriceSamples)
      .where(
        and(
          eq(network, chain.network),
          eq(asset, base.asset),
          gt(observedAt, sql`now() - interval '3 hours'`),
        ),
      )
      .orderBy(minute, desc(observedAt));
    return { prices: rows.map(({ at, priceUsd }) => ({ at: at.toISOString(), priceUsd })) };
  },
});
