import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { assetPrices } from "#db/schema/prices.ts";
import { currentMs } from "#server/base/clock.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { recordPrices } from "./record-prices.ts";

/** The value of one whole unit of an asset in USD, as decimal strings. */
export interface AssetPrice {
  spotUsd: string;
  /** The average of the last 30 minutes. */
  averageUsd: string;
  observedAt: Date;
}

/** A price that was not confirmed for this long is ignored. */
export const STALE = "10 minutes";
const FRESH_MS = 5000;

/** Returns the last known prices of a network's assets, by asset; unreliable and outdated ones are left out. */
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

/** Reads the prices of a chain from its venue, unless they were read in the last seconds. */
export async function refreshPrices(db: Db, chain: Chain): Promise<void> {
  const venue = venueOf(chain);
  if (!venue) return;
  const [last] = await db
    .select({ at: sql<Date>`max(${assetPrices.observedAt})`.mapWith(assetPrices.observedAt) })
    .from(assetPrices)
    .where(eq(assetPrices.network, chain.network));
  if (last?.at && currentMs() - last.at.getTime() < FRESH_MS) return;
  await recordPrices(db, chain.network, await venue.readPrices());
}
