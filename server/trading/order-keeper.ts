import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { idOf } from "#server/ids.ts";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type VenuePrices, venueOf } from "#server/providers/venue/venue.ts";
import { addAdvanceJob } from "./jobs.ts";

const PERIOD_MS = 1000;
const AT_ONCE = 200;
// The best route may be a little better than the deepest pool.
const MARGIN = "0.02";
const RETRY_SECONDS = 5;

/** Looks at the venues' prices again and again, and has orders seen to whose price has come or whose time is over. */
export function startOrderKeeper() {
  const { chains, database } = platform();
  const stopped = new AbortController();
  const keeping = Promise.all(chains.all.map((chain) => keep(chain)));

  async function keep(chain: Chain): Promise<void> {
    let failing = false;
    while (!stopped.signal.aborted) {
      try {
        await wakeOrders(database.db, chain);
        failing = false;
      } catch (error) {
        if (!failing)
          log.warn("Open orders could not be looked at; it is tried again.", {
            ...{ network: chain.network, error },
          });
        failing = true;
      }
      await sleep(PERIOD_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  return {
    async stop() {
      stopped.abort();
      await keeping;
    },
  };
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

/** Orders that may cross at these prices, that are past their time, or that a job has left lying. */
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
