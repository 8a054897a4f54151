import type { Db } from "#db/client.ts";
import { minus } from "./amounts.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { type OrderRow, stands } from "./queries.ts";
import { removeFill } from "./record-fill.ts";
import { withFee } from "./settle-trade.ts";

/**
 * Takes back what a trade had come to in a block that the chain has lost: it is under way again. An order that it had
 * ended is open again; one that its owner or its time has ended stays so, whatever becomes of the trade.
 */
export function reopenTrade(db: Db, seen: OrderRow, transactionId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    const fill = row && (await removeFill(tx, row, transactionId));
    if (!fill) return false;
    const filledQuantity = minus(row.filledQuantity, fill.quantity);
    const open = !stands(row) ? "pending" : filledQuantity === "0" ? "open" : "partially_filled";
    const keepsEnd = row.endedAt !== null && stands(row) && row.status !== "filled";
    await moveOrder(tx, row, {
      ...(!keepsEnd && { status: open, failure: null }),
      transactionId,
      allowanceTransactionId: fill.allowanceTransactionId,
      filledQuantity,
      executingQuantity: fill.quantity,
      filledValue: minus(row.filledValue, fill.value),
      fees: withFee(row, `-${fill.networkFee}`),
      failedTrades: row.failedTrades - (fill.price === null ? 1 : 0),
    });
    return true;
  });
}
