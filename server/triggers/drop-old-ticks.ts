import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const KEPT_DAYS = 30;

/** Drops the times of triggers that are over for a month; that each has one run, the runs say. */
export async function dropOldTicks(db: Db): Promise<void> {
  await db.execute(sql`
    delete from trigger_ticks where (state <> 'waiting' or kind = 'event') and at < trigger_clock() - ${KEPT_DAYS} * interval '1 day'`);
}
