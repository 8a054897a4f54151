import { sql } from "drizzle-orm";
import { parseUnits } from "viem";
import type { Transaction } from "#db/client.ts";
import { orders } from "#db/schema/trading.ts";
import { cancelApproval } from "#server/approvals/queries.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { releaseHold, settleHold } from "#server/credits/hold-credits.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { lockCap, releaseCap, retakeCap } from "#server/wallets/caps.ts";
import { freeFunds } from "#server/wallets/funds.ts";
import { minus } from "./amounts.ts";
import { marketFor } from "./markets.ts";
import { costOf } from "./order-effects.ts";
import { isOrder, type OrderRow, selectOrders, toOrder } from "./queries.ts";

type OrderChange = Partial<Omit<typeof orders.$inferInsert, "endedAt" | "updatedAt">>;

const ENDED: readonly OrderRow["status"][] = ["filled", "cancelled", "expired", "rejected"];

/** Returns the event of an order's status. */
export function eventOf(row: Awaited<ReturnType<typeof selectOrders>>[number]) {
  const { accountId, projectId, endUserId, id, status } = row;
  const type = `trading.order.${status}` as const;
  return { type, accountId, projectId, endUserId, resource: id, data: { order: toOrder(row) } };
}

/** Emits the event of an order's status, in the transaction of the change. */
async function emitOrderEvent(tx: Transaction, order: Pick<OrderRow, "accountId" | "id">): Promise<void> {
  const [row] = await selectOrders(tx).where(isOrder(order));
  if (!row) throw new Error(`There is no order ${order.id}.`);
  await emitEvent(tx, eventOf(row));
}

/**
 * Changes an order with the consequences of a new status: its event and, at the end, the release of its reservations.
 * An open status reopens an ended order.
 */
export async function moveOrder(tx: Transaction, row: OrderRow, change: OrderChange): Promise<OrderRow> {
  const ends = change.status !== undefined && ENDED.includes(change.status);
  const now = sql`clock_timestamp()`;
  const [moved] = await tx
    .update(orders)
    .set({ ...change, updatedAt: now, ...(change.status && { endedAt: ends ? now : null }) })
    .where(isOrder(row))
    .returning();
  if (!moved) throw new Error(`There is no order ${row.id}.`);
  await reserveRest(tx, moved);
  const trades = moved.transactionId !== null;
  if (ends || (row.endedAt !== null && !trades)) await giveBack(tx, moved);
  // A reorganisation has taken back the trade after which the order ended.
  else if (row.endedAt !== null) await retakeCap(tx, { accountId: row.accountId, subject: row.id });
  const { accountId, approvalId } = row;
  if (ends && approvalId && row.status === "awaiting_approval")
    await cancelApproval(tx, { accountId, approvalId });
  if (moved.status !== row.status || moved.filledQuantity !== row.filledQuantity)
    await emitOrderEvent(tx, moved);
  return moved;
}

/** Reserves the remaining cost of the order, beside the trade in progress, which has a reservation of its own. */
async function reserveRest(tx: Transaction, row: OrderRow): Promise<void> {
  const { accountId, id, walletId, network, quantity, filledQuantity, executingQuantity, endedAt } = row;
  const market = marketFor(row);
  // Without its market the reservation stays as it is until the order ends.
  if (!market && endedAt === null) return;
  if (!market || endedAt !== null) return freeFunds(tx, { accountId, owner: { type: "order", id } });
  const rest = parseUnits(minus(minus(quantity, filledQuantity), executingQuantity), market.base.decimals);
  const { asset, amount, decimals } = costOf(market, row, rest);
  await tx.execute(sql`select reserve_order(${uuidOf("account", accountId)}, ${uuidOf("wallet", walletId)}, ${network},
    ${uuidOf("order", id)}, ${asset}, ${fromUnits(amount, decimals)})`);
}

/** Locks an order; returns null if its status or trade has changed. */
export async function lockOrder(tx: Transaction, seen: OrderRow): Promise<OrderRow | null> {
  const [row] = await tx.select().from(orders).where(isOrder(seen)).for("update");
  const same = row?.status === seen.status && row.transactionId === seen.transactionId;
  return same ? row : null;
}

const holdOf = ({ accountId, id }: OrderRow) => ({ accountId, id: toUuid("order", id) });

/** Captures the hold of an order once a trade of it is confirmed; returns the credits charged. */
export async function chargeOrder(tx: Transaction, row: OrderRow): Promise<number> {
  if (row.heldCredits === 0 || row.chargedCredits > 0) return row.chargedCredits;
  await lockCap(tx, { accountId: row.accountId, subject: row.id });
  return settleHold(tx, holdOf(row), row, { operation: "trading.orders.settle", resource: row.id });
}

/**
 * Releases an ended order's unused reservations: fills count against the day's cap; an order without a trade is free.
 */
async function giveBack(tx: Transaction, row: OrderRow): Promise<void> {
  if (Number(row.filledQuantity) === 0) await releaseCap(tx, { accountId: row.accountId, subject: row.id });
  if (row.heldCredits > 0 && row.chargedCredits === 0) await releaseHold(tx, holdOf(row));
}
