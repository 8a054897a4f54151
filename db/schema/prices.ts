import { boolean, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** What one whole unit of an asset is worth, in USD, as the venue's pools say. */
export const assetPrices = pgTable(
  "asset_prices",
  {
    /** CAIP-2, e.g. `eip155:31337`. */
    network: text().notNull(),
    /** `native`, or the token's address with its EIP-55 checksum. */
    asset: text().notNull(),
    spotUsd: numeric().notNull(),
    /** The average of the last 30 minutes. */
    averageUsd: numeric().notNull(),
    observedAt: instant().notNull(),
    /** Whether it could be relied on when it was last looked at: else it is the last one that could. */
    reliable: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.network, table.asset] })],
);

/** What prices were seen in the last hours, of which averages are made. */
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
