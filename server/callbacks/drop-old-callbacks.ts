import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** Twice the longest run, so that late results still get the answer that they are late. */
const KEPT_DAYS = 60;

/** Drops the callbacks of steps that have ended long ago. */
export async function dropOldCallbacks(db: Db): Promise<void> {
  await db.execute(sql`delete from callbacks where at < now() - ${KEPT_DAYS} * interval '1 day'`);
}
