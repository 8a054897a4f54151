import { parseUnits } from "viem";
import { orders } from "#db/schema/trading.ts";
import type { ExecutionKind } from "#server/wallets/executions/kind.ts";
import { type Facts, type Judgement, judgeBy } from "#server/wallets/judge.ts";
import { type Market, marketFor } from "./markets.ts";
import { moveOrder } from "./move-order.ts";
import { effectsOf } from "./order-effects.ts";
import type { OrderRow } from "./queries.ts";

export const orderExecution: ExecutionKind<OrderRow> = {
  kind: "order",
  serviceId: "managed-trading",
  scope: "trading:execute",
  approvedOperation: "trading.orders.create",
  table: orders,

  async renew(_, row) {
    const { network, symbol, quantity } = row;
    const market = marketFor(row);
    if (!market)
      return { failure: { code: "service_unavailable", message: `${symbol} is not traded here any more.` } };
    return {
      network,
      judge: (facts) => judgeOrder(facts, market, row, parseUnits(quantity, market.base.decimals)),
      approvalPayload: approvalPayload(row),
      carryOut: (tx, locked) => moveOrder(tx, locked, { status: locked.expiresAt ? "open" : "pending" }),
    };
  },

  end: (tx, row, end) =>
    moveOrder(
      tx,
      row,
      end.type === "failed" ? { status: "rejected", failure: end.failure } : { status: end.type },
    ),
};

type Judged = Pick<OrderRow, "network" | "symbol" | "side" | "type" | "quantity" | "boundPrice">;

/** Judges executing that much of an order, as the venue's call by itself would be judged. */
export function judgeOrder(facts: Facts, market: Market, order: Judged, quantity: bigint): Judgement {
  const { network } = order;
  const effects = effectsOf(market, order, quantity);
  return judgeBy(facts, { network, effects, description: describeOrder(market, order) });
}

/** `Buy 1.5 ETH for at most 3014.2 USD each, by a market order` */
function describeOrder({ base, counter }: Market, { side, type, quantity, boundPrice }: Judged): string {
  const [verb, bound] = side === "buy" ? ["Buy", "at most"] : ["Sell", "at least"];
  const price = `${boundPrice} ${counter.symbol} each`;
  return `${verb} ${quantity} ${base.symbol} for ${bound} ${price}, by a ${type} order`;
}

type Approvable = Pick<OrderRow, "walletId" | "symbol" | "side" | "type" | "quantity" | "boundPrice">;

/** What people approve: exactly this order, at this price or better. */
export function approvalPayload({ walletId, symbol, side, type, quantity, boundPrice }: Approvable) {
  return { walletId, symbol, side, type, quantity, worstPrice: boundPrice };
}
