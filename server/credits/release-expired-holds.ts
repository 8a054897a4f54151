import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { ledgerHolds } from "#db/schema/ledger.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import { recordOutside } from "#server/operation/recorder.ts";
import { releaseHold } from "./hold-credits.ts";

/** The maximum number of holds that one sweep releases; the next sweep continues. */
const BATCH = 1000;

/** Releases the expired holds of calls that never ended, with an audit event each. Returns their number. */
export async function releaseExpiredHolds(db: Db): Promise<number> {
  let released = 0;
  // A transaction for each: two holds in one would lock ledger accounts in no fixed order.
  while (await releaseOne(db)) {
    released += 1;
    if (released === BATCH) break;
  }
  return released;
}

async function releaseOne(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [hold] = await tx
      .select()
      .from(ledgerHolds)
      .where(
        and(
          eq(ledgerHolds.state, "open"),
          lt(ledgerHolds.expiresAt, sql`clock_timestamp()`),
          notFrozen(ledgerHolds.accountId),
        ),
      )
      .orderBy(ledgerHolds.expiresAt)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!hold) return false;
    await releaseHold(tx, hold);
    await recordOutside(tx, {
      accountId: toUuid("account", hold.accountId),
      projectId: hold.projectId && uuidOf("project", hold.projectId),
      operation: "credits.holds.release",
      resource: hold.requestId,
    });
    return true;
  });
}
