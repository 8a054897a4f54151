import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const BATCH = 1000;
/** Longer than any hold lives, so that a hold still finds the day it counted against. */
const KEEP_DAYS = 30;

/** Deletes ended holds and old daily counters, in batches small enough not to delay charges. Returns their number. */
export async function sweepCredits(db: Db): Promise<number> {
  const holds = await sweep(() =>
    db.execute(sql`
      delete from ledger_holds h using (
        select account_id, id from ledger_holds
        where state in ('captured', 'released') and expires_at < now() - make_interval(days => ${KEEP_DAYS})
        limit ${BATCH} for update skip locked) old
      where h.account_id = old.account_id and h.id = old.id
      returning 1`),
  );
  const days = await sweep(() =>
    db.execute(sql`
      delete from key_days d using (
        select account_id, key_id, selector, day from key_days
        where day < utc_today() - ${KEEP_DAYS}::int
        limit ${BATCH} for update skip locked) old
      where d.account_id = old.account_id and d.key_id = old.key_id and d.selector = old.selector and d.day = old.day
      returning 1`),
  );
  return holds + days;
}

async function sweep(deleteBatch: () => Promise<readonly unknown[]>): Promise<number> {
  for (let swept = 0; ; ) {
    const { length } = await deleteBatch();
    swept += length;
    if (length < BATCH) return swept;
  }
}
