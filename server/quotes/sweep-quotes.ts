import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const BATCH = 1000;

/** Deletes quotes: unused ones after a day, the others once no repeat of their execution is replayed. */
export async function sweepQuotes(db: Db): Promise<number> {
  for (let swept = 0; ; ) {
    const rows = await db.execute(sql`
      delete from quotes q
      using (
        select account_id, id from quotes
        where expires_at < now() - interval '31 days' or (used_by is null and expires_at < now() - interval '1 day')
        limit ${BATCH} for update skip locked) old
      where q.account_id = old.account_id and q.id = old.id
      returning 1`);
    swept += rows.length;
    if (rows.length < BATCH) return swept;
  }
}
