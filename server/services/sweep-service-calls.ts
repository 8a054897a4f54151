import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { serviceCalls } from "#db/schema/services.ts";

/** Deletes calls in doubt that nobody can continue: their idempotency record and their hold end after 24 hours. */
export async function sweepServiceCalls(db: Db): Promise<void> {
  await db.delete(serviceCalls).where(lt(serviceCalls.beganAt, sql`clock_timestamp() - interval '25 hours'`));
}
