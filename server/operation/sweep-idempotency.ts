import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const BATCH = 1000;

/** Deletes expired idempotency records, in batches small enough not to delay requests. Returns their number. */
export async function sweepIdempotency(db: Db): Promise<number> {
  for (let swept = 0; ; ) {
    const rows = await db.execute(sql`
      delete from idempotency_records r
      using (
        select account_id, caller_id, key from idempotency_records
        where expires_at < clock_timestamp() order by expires_at limit ${BATCH} for update skip locked) old
      where r.account_id = old.account_id and r.caller_id = old.caller_id and r.key = old.key
      returning 1`);
    swept += rows.length;
    if (rows.length < BATCH) return swept;
  }
}
