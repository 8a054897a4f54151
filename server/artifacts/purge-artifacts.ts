import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";

const BATCH = 1000;

/** Deletes expired artifacts; the sweep of blobs deletes their content. Returns their number. */
export async function purgeArtifacts(db: Db): Promise<number> {
  for (let purged = 0; ; ) {
    const rows = await db.execute(sql`
      with gone as (
        delete from artifacts where (account_id, id) in (
          select account_id, id from artifacts where expires_at <= now() and ${notFrozen(sql`account_id`)}
          order by expires_at limit ${BATCH} for update skip locked)
        returning blob_key)
      insert into loose_blobs (key, due_at) select blob_key, now() from gone returning 1`);
    purged += rows.length;
    if (rows.length < BATCH) return purged;
  }
}
