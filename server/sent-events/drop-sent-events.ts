import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const BATCH = 10_000;
/** A day longer than they count, for runs whose worker is late. */
const KEPT_DAYS = 31;

/** Drops the events that count no more. */
export async function dropSentEvents(db: Db): Promise<void> {
  for (let dropped = BATCH; dropped === BATCH; ) {
    const rows = await db.execute(sql`
      delete from sent_events where (account_id, id) in (
        select account_id, id from sent_events where sent_at < now() - ${KEPT_DAYS} * interval '1 day' limit ${BATCH})
      returning 1`);
    dropped = rows.length;
  }
}
