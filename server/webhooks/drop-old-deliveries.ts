import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const MONTHS = 3;

/** Drops the monthly partitions of events and deliveries that are entirely older than three months. */
export async function dropOldDeliveries(db: Db): Promise<void> {
  await db.execute(sql`select drop_old_partitions('webhook_history', ${MONTHS})`);
  await db.execute(sql`select drop_old_partitions('webhook_events', ${MONTHS})`);
}
