import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { orders } from "#db/schema/trading.ts";
import { per } from "./amounts.ts";
import type { Order } from "./schema.ts";

export type OrderRow = typeof orders.$inferSelect;

interface FillJson {
  price: string;
  quantity: string;
  at: string;
  transactionHash: string;
}

/** Selects orders for `toOrder`. */
export function selectOrders(db: Db | Transaction) {
  return db
    .select({
      ...getTableColumns(orders),
      endUser: endUsers.externalId,
      fills: sql<FillJson[]>`coalesce((
        select jsonb_agg(jsonb_build_object('price', f.price::text, 'quantity', f.quantity::text, 'at', f.at,
          'transactionHash', f.transaction_hash) order by f.at, f.transaction_id)
        from order_fills f where f.account_id = ${orders.accountId} and f.order_id = ${orders.id}
          and f.price is not null), '[]')`,
    })
    .from(orders)
    .leftJoin(endUsers, and(eq(endUsers.accountId, orders.accountId), eq(endUsers.id, orders.endUserId)));
}

/** Returns a row in its public form. */
export function toOrder(row: Awaited<ReturnType<typeof selectOrders>>[number]): z.input<typeof Order> {
  const { id, quoteId, clientReference, walletId, network, symbol, side, type, quantity } = row;
  const { limitPrice, timeInForce, status, filledQuantity, fees, failure, approvalId } = row;
  const { chargedCredits, projectId, endUser } = row;
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    quoteId,
    clientReference,
    walletId,
    network,
    symbol,
    side,
    type,
    quantity,
    limitPrice,
    timeInForce,
    status,
    filledQuantity,
    averagePrice: per(row.filledValue, filledQuantity),
    fees,
    fills: row.fills.map(({ at, ...fill }) => ({ ...fill, at: new Date(at).toISOString() })),
    failure,
    approvalId,
    chargedCredits,
    projectId,
    endUser,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    expiresAt: time(row.expiresAt),
    endedAt: time(row.endedAt),
  };
}

/**
 * Reads an order, and the id of a settled trade that is no longer in the block by which it was settled, if there is
 * one.
 */
export async function readOrder(db: Db, order: Pick<OrderRow, "accountId" | "id">) {
  const [row] = await db
    .select({
      ...getTableColumns(orders),
      strayId: sql<string | null>`(select f.transaction_id from order_fills f
        join wallet_transactions t on t.account_id = f.account_id and t.id = f.transaction_id
        where f.account_id = orders.account_id and f.order_id = orders.id
          and f.block_hash is distinct from t.block_hash
        order by f.at limit 1)`.mapWith(orders.transactionId),
    })
    .from(orders)
    .where(isOrder(order));
  return row;
}

/**
 * True if an order rests until its price is reached, it is cancelled or it expires; other orders are executed at once.
 */
export function isResting({ timeInForce }: Pick<OrderRow, "timeInForce">): boolean {
  return timeInForce === "gtc" || timeInForce === "gtd";
}

/** Returns the condition for this order. */
export function isOrder({ accountId, id }: Pick<OrderRow, "accountId" | "id">) {
  return and(eq(orders.accountId, accountId), eq(orders.id, id));
}
