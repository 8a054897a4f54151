import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { swaps } from "#db/schema/swaps.ts";
import { captureHold, releaseHold } from "#server/credits/hold-credits.ts";
import { toUuid } from "#server/ids.ts";
import { lockCap, releaseCap } from "#server/wallets/caps.ts";
import { freeFunds } from "#server/wallets/funds.ts";
import { emitSwapEvent, type SwapRow, theSwap } from "./queries.ts";

type Change = Partial<Omit<typeof swaps.$inferInsert, "status">>;

const ENDED: readonly SwapRow["status"][] = ["completed", "refunded", "failed"];
/** What a swap passes on its way, in order; several at once are published one by one. */
const WAY: readonly SwapRow["status"][] = [
  "pending",
  "source_submitted",
  "source_confirmed",
  "filling",
  "completed",
];

/** Locks a swap; null where it has this status no more. */
export async function lockSwap(tx: Transaction, swap: SwapRow): Promise<SwapRow | null> {
  const [row] = await tx.select().from(swaps).where(theSwap(swap)).for("update");
  return row?.status === swap.status ? row : null;
}

/**
 * Moves a locked swap on, or back with the chain, and announces each status that it passes. What has ended returns what
 * it did not use.
 */
export async function moveSwap(
  tx: Transaction,
  swap: SwapRow,
  status: SwapRow["status"],
  change: Change = {},
): Promise<void> {
  for (const next of passed(swap, status)) {
    const ends = ENDED.includes(next);
    await tx
      .update(swaps)
      .set({ ...change, status: next, endedAt: ends ? sql`clock_timestamp()` : null })
      .where(theSwap(swap));
    await emitSwapEvent(tx, swap);
  }
  if (status === swap.status) return;
  if (status === "failed" || status === "refunded")
    await releaseCap(tx, { accountId: swap.accountId, subject: swap.id });
  if (swap.status === "awaiting_approval")
    await freeFunds(tx, { accountId: swap.accountId, owner: { type: "swap", id: swap.id } });
  // What was charged by then stays charged.
  if (status === "failed") await releaseHold(tx, holdOf(swap));
}

function passed({ status, from, to }: SwapRow, target: SwapRow["status"]): SwapRow["status"][] {
  if (target === status) return [];
  const [here, there] = [WAY.indexOf(status), WAY.indexOf(target)];
  if (here < 0 || there < here) return [target];
  return WAY.slice(here + 1, there + 1).filter((next) => next !== "filling" || from.network !== to.network);
}

/** Charges what was set aside, once the chain has taken what gives. */
export async function chargeSwap(tx: Transaction, swap: SwapRow): Promise<number> {
  await lockCap(tx, { accountId: swap.accountId, subject: swap.id });
  return captureHold(tx, holdOf(swap), swap.heldCredits, 1);
}

/** What a swap's credits are held under. */
const holdOf = ({ accountId, id }: SwapRow) => ({ accountId, id: toUuid("swap", id) });
