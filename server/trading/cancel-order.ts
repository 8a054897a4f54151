import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "#db/schema/trading.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { moveOrder } from "./move-order.ts";
import { isOrder, selectOrders, toOrder } from "./queries.ts";
import { Order, OrderParams } from "./schema.ts";

export const cancelOrder = operation({
  id: "trading.orders.cancel",
  method: "POST",
  path: "/trading/orders/{orderId}/cancel",
  summary: "Cancel an order",
  description: "Cancels what an order has not filled: its fills stay, and its reservation is released.",
  scope: "trading:execute",
  service: "managed-trading",
  movesMoney: true,
  idempotent: true,
  params: OrderParams,
  body: z.object({}),
  output: z.object({ order: Order }),
  errors: ["not_found", "state_conflict"],

  async handler({ params, caller, db }) {
    const [row] = await db
      .select()
      .from(orders)
      .where(and(visible(orders, caller), eq(orders.id, params.orderId)))
      .for("update");
    if (!row) throw notFound("order", params.orderId);
    if (row.endedAt)
      throw new ApiError("state_conflict", `Order ${row.id} is ${row.status}. There is nothing to cancel.`);
    if (row.transactionId)
      throw new ApiError(
        "state_conflict",
        `Order ${row.id} is being executed by transaction ${row.transactionId}. Cancel its remainder after that.`,
      );
    await moveOrder(db, row, { status: "cancelled" });
    const [cancelled] = await selectOrders(db).where(isOrder(row));
    return { order: toOrder(defined(cancelled)) };
  },
});
