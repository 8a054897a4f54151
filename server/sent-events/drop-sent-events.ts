import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { defined } from "#server/defined.ts";

const BATCH = 10_000;
/** A day longer than events can be awaited, for runs whose worker is late. */
const KEPT_DAYS = 31;

/** Deletes the events that can no longer be awaited. */
export async function dropSentEvents(db: Db): Promise<void> {
  for (let dropped = BATCH; dropped === BATCH; ) {
    const [row] = await db.execute<{ dropped: number }>(
      sql`select drop_events(now() - ${KEPT_DAYS} * interval '1 day', ${BATCH}) as dropped`,
    );
    dropped = defined(row).dropped;
  }
}
