import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "#db/schema/trading.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectOrders, toOrder } from "./queries.ts";
import { Order, OrderParams } from "./schema.ts";

export const readOrder = operation({
  id: "trading.orders.read",
  method: "GET",
  path: "/trading/orders/{orderId}",
  summary: "Read an order",
  description: "Returns an order with every trade that filled it.",
  scope: "trading:read",
  service: "managed-trading",
  params: OrderParams,
  output: z.object({ order: Order }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await selectOrders(db).where(and(visible(orders, caller), eq(orders.id, params.orderId)));
    if (!row) throw notFound("order", params.orderId);
    return { order: toOrder(row) };
  },
});
