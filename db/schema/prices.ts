import { numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
  },
  (table) => [primaryKey({ columns: [table.network, table.asset] })],
);
