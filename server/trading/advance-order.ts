import type { Db } from "#db/client.ts";
import { currentMs } from "#server/base/clock.ts";
import { resumeExecution } from "#server/wallets/executions/execution.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { orderExecution } from "./order-execution.ts";
import { readOrder } from "./queries.ts";
import { reopenTrade } from "./reopen-trade.ts";
import { settleTrade } from "./settle-trade.ts";
import { startTrade } from "./start-trade.ts";

/**
 * Advances an order as far as possible now: after its approval, when its price may be reached, when its trade has
 * ended, and when a reorganisation has removed a trade. Concurrent and repeated runs change nothing twice: each step
 * locks the order's row.
 */
export async function advanceOrder(db: Db, order: { accountId: string; id: string }): Promise<void> {
  for (let goesOn = true; goesOn; ) {
    const row = await readOrder(db, order);
    goesOn = row !== undefined && (await advance(db, row));
  }
}

/** Returns whether more can be done at once. */
async function advance(db: Db, row: NonNullable<Awaited<ReturnType<typeof readOrder>>>): Promise<boolean> {
  if (row.transactionId) return settleTrade(db, row);
  if (row.strayId) return reopenTrade(db, row, row.strayId);
  if (row.endedAt) return false;
  if (row.expiresAt && row.expiresAt.getTime() <= currentMs()) {
    await db.transaction(async (tx) => {
      const locked = await lockOrder(tx, row);
      if (locked) await moveOrder(tx, locked, { status: "expired" });
    });
    return false;
  }
  return row.status === "awaiting_approval" ? resumeExecution(db, orderExecution, row) : startTrade(db, row);
}
