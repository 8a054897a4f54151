import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { idOf } from "#server/base/ids.ts";
import { watchChains } from "#server/chains/watch-chains.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { VenuePrices } from "#server/providers/venue/venue.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { addAdvanceJob } from "./jobs.ts";

const PERIOD_MS = 1000;
const AT_ONCE = 200;
// The best route may be slightly better than the deepest pool.
const MARGIN = "0.02";
const RETRY_SECONDS = 5;

/** Polls the venues' prices and advances orders whose price is reached or that have expired. */
export function watchOrders() {
  return watchChains({
    look: (chain) => wakeOrders(platform().database.db, chain),
    pauseMs: () => PERIOD_MS,
    failing: "Open orders could not be looked at; it is tried again.",
  });
}

/** Adds jobs for the orders of a chain that may go on now. A venue is asked only while orders wait for its prices. */
export async function wakeOrders(db: Db, chain: Chain): Promise<void> {
  const venue = venueOf(chain);
  const [waiting] = await db.execute<{ some: boolean }>(
    sql`select exists (select from orders where network = ${chain.network} and ended_at is null) as some`,
  );
  if (!venue || !waiting?.some) return;
  const due = await findDue(db, chain.network, await venue.readPrices());
  for (const order of due) await addAdvanceJob(db, order);
}

/** Returns orders that may fill at these prices, that have expired, or whose job was lost. */
async function findDue(db: Db, network: string, prices: VenuePrices) {
  const assets = [...prices.keys()];
  const spots = [...prices.values()].map(({ spotUsd }) => spotUsd);
  const rows = await db.execute<{ account_id: string; id: string }>(sql`
    select o.account_id, o.id from orders o
    left join unnest(${sql.param(assets)}::text[], ${sql.param(spots)}::text[]) as p(asset, spot) on p.asset = o.base
    where o.network = ${network} and o.ended_at is null and o.transaction_id is null and (
      o.expires_at <= clock_timestamp()
      or o.updated_at < clock_timestamp() - ${RETRY_SECONDS} * interval '1 second' and (
        o.status = 'pending'
        or o.status in ('open', 'partially_filled') and case o.side
          when 'buy' then p.spot::numeric * (1 - ${MARGIN}::numeric) <= o.bound_price
          else p.spot::numeric * (1 + ${MARGIN}::numeric) >= o.bound_price end))
    order by random() limit ${AT_ONCE}`);
  return rows.map((row) => ({ accountId: idOf("account", row.account_id), id: idOf("order", row.id) }));
}
