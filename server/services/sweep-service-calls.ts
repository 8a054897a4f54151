import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { serviceCalls } from "#db/schema/services.ts";

/** Forgets calls in doubt that nobody can go on with: their idempotency record and their hold end after 24 hours. */
export async function sweepServiceCalls(db: Db): Promise<void> {
  await db.delete(serviceCalls).where(lt(serviceCalls.beganAt, sql`clock_timestamp() - interval '25 hours'`));
}
