import { boolean, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** The value of one whole unit of an asset in USD, from the venue's pools. */
export const assetPrices = pgTable(
  "asset_prices",
  {
    /** CAIP-2, e.g. `eip155:31337`. */
    network: text().notNull(),
    /** `native`, or the token's address with its EIP-55 checksum. */
    asset: text().notNull(),
    spotUsd: numeric().notNull(),
    /** The average price over the last 30 minutes. */
    averageUsd: numeric().notNull(),
    observedAt: instant().notNull(),
    /** True if the price was reliable at the last check; otherwise the row holds the last reliable price. */
    reliable: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.network, table.asset] })],
);

/** Prices sampled in the last hours, from which averages are computed. */
export const assetPriceSamples = pgTable(
  "asset_price_samples",
  {
    network: text().notNull(),
    asset: text().notNull(),
    observedAt: instant().notNull(),
    spotUsd: numeric().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.asset, table.observedAt] })],
);
