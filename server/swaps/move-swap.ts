import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { swaps } from "#db/schema/swaps.ts";
import { toUuid } from "#server/base/ids.ts";
import { releaseHold, settleHold } from "#server/credits/hold-credits.ts";
import { lockCap, releaseCap, retakeCap } from "#server/wallets/caps.ts";
import { freeFunds } from "#server/wallets/funds.ts";
import { emitSwapEvent, isSwap, type SwapRow } from "./queries.ts";

type SwapChange = Partial<Omit<typeof swaps.$inferInsert, "status">>;

const ENDED: readonly SwapRow["status"][] = ["completed", "refunded", "failed"];
const SPENT_NOTHING: readonly SwapRow["status"][] = ["refunded", "failed"];
/** The statuses of a swap, in order; if it passes several at once, each is published. */
const WAY: readonly SwapRow["status"][] = [
  "pending",
  "source_submitted",
  "source_confirmed",
  "filling",
  "completed",
];

/** Locks a swap; returns null if its status has changed. */
export async function lockSwap(tx: Transaction, swap: SwapRow): Promise<SwapRow | null> {
  const [row] = await tx.select().from(swaps).where(isSwap(swap)).for("update");
  return row?.status === swap.status ? row : null;
}

/**
 * Moves a locked swap to a status, or back after a reorganisation, and publishes each status that it passes. An ended
 * swap releases the unused rest.
 */
export async function moveSwap(
  tx: Transaction,
  swap: SwapRow,
  status: SwapRow["status"],
  change: SwapChange = {},
): Promise<void> {
  for (const next of passed(swap, status)) {
    const ends = ENDED.includes(next);
    await tx
      .update(swaps)
      .set({ ...change, status: next, endedAt: ends ? sql`clock_timestamp()` : null })
      .where(isSwap(swap));
    await emitSwapEvent(tx, swap);
  }
  if (status === swap.status) return;
  const reservation = { accountId: swap.accountId, subject: swap.id };
  if (SPENT_NOTHING.includes(status)) await releaseCap(tx, reservation);
  else if (SPENT_NOTHING.includes(swap.status)) await retakeCap(tx, reservation);
  if (swap.status === "awaiting_approval")
    await freeFunds(tx, { accountId: swap.accountId, owner: { type: "swap", id: swap.id } });
  // A charge that was captured before stays.
  if (status === "failed") await releaseHold(tx, holdOf(swap));
}

function passed({ status, from, to }: SwapRow, target: SwapRow["status"]): SwapRow["status"][] {
  if (target === status) return [];
  const [here, there] = [WAY.indexOf(status), WAY.indexOf(target)];
  if (here < 0 || there < here) return [target];
  return WAY.slice(here + 1, there + 1).filter((next) => next !== "filling" || from.network !== to.network);
}

/** Captures the held credits, once the chain has accepted the source transaction. */
export async function chargeSwap(tx: Transaction, swap: SwapRow): Promise<number> {
  await lockCap(tx, { accountId: swap.accountId, subject: swap.id });
  return settleHold(tx, holdOf(swap), swap, { operation: "swaps.settle", resource: swap.id });
}

/** Returns the key of a swap's hold. */
const holdOf = ({ accountId, id }: SwapRow) => ({ accountId, id: toUuid("swap", id) });
