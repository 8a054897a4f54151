import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { approvals } from "#db/schema/approvals.ts";
import { emitApprovalEvent } from "./approval-events.ts";
import { isOpen, settledPayload } from "./rows.ts";

/** How far the sweep looks ahead, in seconds: slightly more than its interval. */
const AHEAD = 75;

/** Expires the approvals that are due. Returns the next expiry, if it is before the next sweep. */
export async function expireApprovals(db: Db): Promise<Date | null> {
  while (await expireOne(db));
  const [next] = await db
    .select({ expiresAt: approvals.expiresAt })
    .from(approvals)
    .where(
      and(
        isOpen,
        sql`${approvals.expiresAt} < now() + ${AHEAD} * interval '1 second'`,
        notFrozen(approvals.accountId),
      ),
    )
    .orderBy(approvals.expiresAt)
    .limit(1);
  return next?.expiresAt ?? null;
}

/** A transaction for each, so that no decision waits for another approval. */
async function expireOne(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    // An approval that is being decided is left to the next sweep.
    const [late] = await tx
      .select({ accountId: approvals.accountId, id: approvals.id })
      .from(approvals)
      .where(and(isOpen, sql`${approvals.expiresAt} <= now()`, notFrozen(approvals.accountId)))
      .orderBy(approvals.expiresAt)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!late) return false;
    await tx
      .update(approvals)
      .set({ status: "expired", ...settledPayload })
      .where(and(eq(approvals.accountId, late.accountId), eq(approvals.id, late.id)));
    await emitApprovalEvent(tx, late, "approval.expired");
    return true;
  });
}
