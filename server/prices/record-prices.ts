import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { VenuePrices } from "#server/providers/venue/venue.ts";

/** The maximum ratio between spot and average price for either to be reliable. */
const MAX_APART = "1.2";

/**
 * Stores the current prices of a chain's assets. If the venue has no average of the last 30 minutes, it is computed
 * from stored samples, each weighted by how long it was current: pushing a pool's price does not move it at once. An
 * unreliable price is marked and leaves the last reliable one in place, which then only network fees are valued by.
 */
export async function recordPrices(db: Db, network: string, prices: VenuePrices): Promise<void> {
  const assets = [...prices.keys()];
  const spots = [...prices.values()].map(({ spotUsd }) => spotUsd);
  const averages = [...prices.values()].map(({ averageUsd }) => averageUsd);
  const agreed = [...prices.values()].map(({ reliable }) => String(reliable));
  await db.execute(sql`
    with seen as (
      select asset, spot::numeric as spot, stated::numeric as stated, agreed::boolean as agreed
      from unnest(${sql.param(assets)}::text[], ${sql.param(spots)}::text[], ${sql.param(averages)}::text[],
        ${sql.param(agreed)}::text[]) as t(asset, spot, stated, agreed)
    ), spans as (
      select asset, spot_usd, extract(epoch from
        lead(observed_at, 1, now()) over (partition by asset order by observed_at)
        - greatest(observed_at, now() - interval '30 minutes')) as seconds
      from asset_price_samples s
      where network = ${network} and asset in (select asset from seen) and observed_at >= coalesce((
        select max(observed_at) from asset_price_samples b
        where b.network = s.network and b.asset = s.asset and b.observed_at <= now() - interval '30 minutes'
      ), '-infinity')
    ), averages as (
      select asset, sum(spot_usd * seconds) / nullif(sum(seconds), 0) as average
      from spans where seconds > 0 group by asset
    ), noted as (
      insert into asset_price_samples (network, asset, observed_at, spot_usd)
      select ${network}, asset, now(), spot from seen on conflict do nothing
    ), swept as (
      delete from asset_price_samples where network = ${network} and observed_at < now() - interval '3 hours'
    ), worth as (
      select asset, spot, agreed, trim_scale(round(coalesce(stated, average, spot), 18)) as average
      from seen left join averages using (asset)
    ), found as (
      select *, agreed and greatest(spot, average) <= ${MAX_APART}::numeric * least(spot, average) as reliable from worth
    ), doubted as (
      update asset_prices set reliable = false
      where network = ${network} and asset in (select asset from found where not reliable)
    )
    insert into asset_prices (network, asset, spot_usd, average_usd, observed_at)
    select ${network}, asset, spot, average, now() from found where reliable
    order by asset
    on conflict (network, asset) do update
      set spot_usd = excluded.spot_usd, average_usd = excluded.average_usd, observed_at = excluded.observed_at,
        reliable = true
      where asset_prices.observed_at <= excluded.observed_at`);
}
