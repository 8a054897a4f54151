import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { assetPrices } from "#db/schema/prices.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { venueOf } from "#server/providers/venue/venue.ts";
import { recordPrices } from "./record-prices.ts";

/** What one whole unit of an asset is worth in USD: decimal strings. */
export interface AssetPrice {
  spotUsd: string;
  /** The average of the last 30 minutes. */
  averageUsd: string;
  observedAt: Date;
}

/** A price that nobody has confirmed for this long is none. */
export const STALE = "10 minutes";
const FRESH_MS = 5000;

/** The last known prices of assets of a network, by asset; what has none that can be relied on, or an old one, is left out. */
export async function pricesOf(
  db: Db | Transaction,
  network: string,
  assets: readonly string[],
): Promise<ReadonlyMap<string, AssetPrice>> {
  const { spotUsd, averageUsd, observedAt } = assetPrices;
  const rows = await db
    .select({ asset: assetPrices.asset, spotUsd, averageUsd, observedAt })
    .from(assetPrices)
    .where(
      and(
        eq(assetPrices.network, network),
        inArray(assetPrices.asset, [...assets]),
        assetPrices.reliable,
        gt(observedAt, sql`now() - ${STALE}::interval`),
      ),
    );
  return new Map(rows.map(({ asset, ...price }) => [asset, price]));
}

/** Has the prices of a chain read from its venue, unless that was done in the last seconds. */
export async function refreshPrices(db: Db, chain: Chain): Promise<void> {
  const venue = venueOf(chain);
  if (!venue) return;
  const [last] = await db
    .select({ at: sql<Date>`max(${assetPrices.observedAt})`.mapWith(assetPrices.observedAt) })
    .from(assetPrices)
    .where(eq(assetPrices.network, chain.network));
  if (last?.at && Date.now() - last.at.getTime() < FRESH_MS) return;
  await recordPrices(db, chain.network, await venue.readPrices());
}
