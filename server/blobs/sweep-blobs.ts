import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import { releaseRoom } from "./room.ts";

const BATCH = 100;

/** Deletes loose blobs that are due. Returns their number. A failed deletion is tried again in five minutes. */
export async function sweepBlobs(db: Db, blobs: BlobStore): Promise<number> {
  for (let swept = 0; ; ) {
    // Claimed by postponing them, so that no transaction is open while the store is called.
    const deleted = await db.execute<{ key: string }>(sql`
      update loose_blobs set deleting = true, due_at = clock_timestamp() + interval '5 minutes'
      where key in (select key from loose_blobs where due_at <= clock_timestamp()
        order by due_at limit ${BATCH} for update skip locked)
      returning key`);
    const keys = deleted.map(({ key }) => key);
    for (const key of keys) await blobs.delete(key);
    if (keys.length > 0) await releaseRoom(db, keys);
    swept += keys.length;
    if (keys.length < BATCH) return swept;
  }
}
