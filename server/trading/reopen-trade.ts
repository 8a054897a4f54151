import type { Db } from "#db/client.ts";
import { minus } from "./amounts.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { isResting, type OrderRow } from "./queries.ts";
import { removeFill } from "./record-fill.ts";
import { withFee } from "./settle-trade.ts";

/**
 * Removes the result of a trade whose block the chain has lost: the trade is in progress again. An order that the trade
 * had ended is open again; one that its owner or its expiry has ended stays ended.
 */
export function reopenTrade(db: Db, seen: OrderRow, transactionId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    const fill = row && (await removeFill(tx, row, transactionId));
    if (!fill) return false;
    const filledQuantity = minus(row.filledQuantity, fill.quantity);
    const open = !isResting(row) ? "pending" : filledQuantity === "0" ? "open" : "partially_filled";
    const keepsEnd = row.endedAt !== null && isResting(row) && row.status !== "filled";
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
