import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { ledgerHolds } from "#db/schema/ledger.ts";
import { newId } from "#server/ids.ts";
import type { SystemCaller } from "#server/operation/caller.ts";
import { actorFacts, recordEvent } from "#server/operation/recorder.ts";
import { releaseHold } from "./hold-credits.ts";

/** What one sweep releases at most; the next one goes on. */
const BATCH = 1000;

/** Returns what was set aside for calls that never ended, with an audit event each. Answers how many holds it released. */
export async function releaseExpiredHolds(db: Db): Promise<number> {
  let released = 0;
  // A transaction each: two holds in one would lock books in no order.
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
      .where(and(eq(ledgerHolds.state, "open"), lt(ledgerHolds.expiresAt, sql`clock_timestamp()`)))
      .orderBy(ledgerHolds.expiresAt)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!hold) return false;
    await releaseHold(tx, hold);
    const system: SystemCaller = {
      type: "system",
      id: "system",
      label: "Platform",
      accountId: hold.accountId,
      scopes: [],
      project: hold.projectId === null ? null : { id: hold.projectId, status: "active", bound: false },
      endUser: null,
      privacyTier: "standard",
      creditTokenId: null,
    };
    await recordEvent(tx, {
      ...actorFacts(system, new Date()),
      operation: "credits.holds.release",
      selector: "credits.holds.release",
      counted: false,
      resource: hold.requestId,
      outcome: "allowed",
      status: 200,
      errorCode: null,
      requestId: newId("request"),
      ip: null,
      userAgent: null,
      durationMs: 0,
      chargedCredits: 0,
      secretVersion: null,
    });
    return true;
  });
}
