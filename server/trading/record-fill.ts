import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { orderFills } from "#db/schema/trading.ts";
import { uuidOf } from "#server/base/ids.ts";
import { per } from "./amounts.ts";
import type { OrderRow } from "./queries.ts";

type FillRow = typeof orderFills.$inferSelect;

/** The result of a trade in whole units, with the block that contains it; zero if it reverted. */
export type NewFill = Omit<FillRow, "accountId" | "orderId" | "price" | "at">;

/** Stores a fill and adds it to the wallet's position. The order's row is locked. */
export async function recordFill(tx: Transaction, order: OrderRow, fill: NewFill): Promise<void> {
  const { accountId, id: orderId, network, base, side } = order;
  const price = per(fill.value, fill.quantity);
  await tx.insert(orderFills).values({ accountId, orderId, ...fill, price, at: sql`clock_timestamp()` });
  if (price !== null)
    await tx.execute(sql`select add_to_position(${positionOf(order)}, ${network}, ${base}, ${side},
      ${fill.quantity}, ${fill.value})`);
}

/** Removes a fill of a block that the chain has lost; returns undefined if it was removed before. */
export async function removeFill(
  tx: Transaction,
  order: OrderRow,
  transactionId: string,
): Promise<FillRow | undefined> {
  const { accountId, id: orderId } = order;
  const same = { accountId, orderId, transactionId };
  const [fill] = await tx
    .delete(orderFills)
    .where(
      and(
        eq(orderFills.accountId, same.accountId),
        eq(orderFills.orderId, same.orderId),
        eq(orderFills.transactionId, same.transactionId),
      ),
    )
    .returning();
  if (fill && fill.price !== null) await tx.execute(sql`select recount_position(${positionOf(order)})`);
  return fill;
}

function positionOf({ accountId, walletId, symbol }: OrderRow) {
  return sql`${uuidOf("account", accountId)}::uuid, ${uuidOf("wallet", walletId)}::uuid, ${symbol}`;
}
