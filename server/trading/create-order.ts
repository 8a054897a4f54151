import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "#server/wallets/executions/execution.ts";
import { orderExecution } from "./order-execution.ts";
import { CreateOrder, Order } from "./schema.ts";

export const createOrder = operation({
  id: "trading.orders.create",
  method: "POST",
  path: "/trading/orders",
  summary: "Execute a quoted order",
  description:
    "Executes a quote once. The policy is judged again now; where it asks for an approval, the order waits for that and is judged once more. Its maximum cost is reserved until it ends. Its credits are held now and charged with its first trade; an order without one costs nothing. It outlives the key that places it: cancel the open orders of a revoked key.",
  scope: "trading:execute",
  service: "managed-trading",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  body: CreateOrder,
  output: z.object({ order: Order }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "already_exists",
    "insufficient_credits",
    "service_unavailable",
  ],

  handler: ({ body, ...context }) => executeQuote(orderExecution, { ...context, ...body }),
});
