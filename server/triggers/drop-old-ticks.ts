import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const KEPT_DAYS = 30;

/** Deletes ticks that ended over a month ago; the runs themselves keep any from starting twice. */
export async function dropOldTicks(db: Db): Promise<void> {
  await db.execute(sql`
    delete from trigger_ticks where (state <> 'waiting' or kind = 'event') and at < trigger_clock() - ${KEPT_DAYS} * interval '1 day'`);
}
