import { lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { capDays, capReservations } from "#db/schema/caps.ts";
import { fundReservations } from "#db/schema/funds.ts";

/** Deletes reservations of days and funds that no judgement or replay can need any more. */
export async function sweepCaps(db: Db): Promise<void> {
  const past = sql`utc_today() - 35`;
  await db.delete(capReservations).where(lt(capReservations.day, past));
  await db.delete(capDays).where(lt(capDays.day, past));
  await db
    .delete(fundReservations)
    .where(or(lt(fundReservations.releasedAt, past), lt(fundReservations.expiresAt, past)));
}
