import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { currentMs } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";

const KEEP_DAYS = 30;

/**
 * Erases the client's address and user agent from events older than 30 days. The events stay, and so do the digests
 * that their hashes cover.
 */
export async function eraseRequestDetails(db: Db): Promise<void> {
  const before = new Date(currentMs() - KEEP_DAYS * DAY_MS).toISOString();
  for (;;) {
    const [row] = await db.execute<{ more: boolean }>(sql`select erase_request_details(${before}) as more`);
    if (!row?.more) return;
  }
}
