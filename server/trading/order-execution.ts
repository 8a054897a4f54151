import { sql } from "drizzle-orm";
import { parseUnits } from "viem";
import type { z } from "zod";
import { rowInserter } from "#db/insert-row.ts";
import { orders } from "#db/schema/trading.ts";
import { currentMs } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { timeOf, toUuid } from "#server/base/ids.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { enqueuedJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import {
  type ExecutionKind,
  endedAs,
  LONGEST_WAIT_SECONDS,
  type QuotedWallet,
  type Terms,
} from "#server/wallets/executions/kind.ts";
import { type Judgement, judge, type PolicyState } from "#server/wallets/judge.ts";
import { advanceJob } from "./jobs.ts";
import { type Market, marketFor } from "./markets.ts";
import { eventOf, moveOrder } from "./move-order.ts";
import { costOf, effectsOf } from "./order-effects.ts";
import { isResting, type OrderRow } from "./queries.ts";
import { ORDER_DAYS, type Order, type OrderTerms } from "./schema.ts";

const insert = rowInserter(orders);

/** The part of an order's quote that its execution needs. */
export interface OrderPlan extends OrderTerms, Record<string, unknown> {
  network: string;
  base: string;
  boundPrice: string;
}

export const orderExecution: ExecutionKind<OrderRow, OrderPlan, { order: z.input<typeof Order> }> = {
  kind: "order",
  serviceId: "managed-trading",
  scope: "trading:execute",
  operationId: "trading.orders.create",
  approvedOperation: "trading.orders.create",
  charge: "Order",
  holdSeconds: ORDER_DAYS * 86_400 + LONGEST_WAIT_SECONDS,
  table: orders,

  open({ wallet, plan }) {
    const market = marketFor(plan);
    if (!market) throw new ApiError("service_unavailable", `${plan.symbol} is not traded any more (CHAINS).`);
    const quantity = parseUnits(plan.quantity, market.base.decimals);
    const { asset, amount, decimals } = costOf(market, plan, quantity);
    const spends = [{ asset, amount: fromUnits(amount, decimals), fee: "0" }];
    return {
      judge: (state) => judgeOrder(state, market, plan, quantity),
      approvalPayload: approvalPayload({ ...plan, walletId: wallet.id }),
      prepare: async () => ({
        funds: { chain: market.chain, spends, strict: true },
        record(terms) {
          const row = rowOf(terms, { wallet, plan, market });
          const event = eventOf({ ...row, endUser: wallet.endUser, fills: [] });
          return {
            output: event.data,
            row: { reference: sql`refuse_unless('reference', ${insert(row)})` },
            events: [event],
            ...(!row.approvalId && { execution: { job: enqueuedJob(advanceJob(row)) } }),
          };
        },
      }),
    };
  },

  async renew(_, row) {
    const { network, symbol, quantity } = row;
    const market = marketFor(row);
    if (!market)
      return { failure: { code: "service_unavailable", message: `${symbol} is not traded here any more.` } };
    return {
      network,
      judge: (state) => judgeOrder(state, market, row, parseUnits(quantity, market.base.decimals)),
      approvalPayload: approvalPayload(row),
      carryOut: (tx, locked) => moveOrder(tx, locked, { status: locked.expiresAt ? "open" : "pending" }),
    };
  },

  end: (tx, row, end) => moveOrder(tx, row, endedAs(end, "rejected")),
};

function rowOf(
  { initiator, ...terms }: Terms,
  { wallet, plan, market }: { wallet: QuotedWallet; plan: OrderPlan; market: Market },
): OrderRow {
  const { accountId, projectId, endUserId, id: walletId } = wallet;
  const createdAt = timeOf(toUuid("order", terms.id));
  const lasts = isResting(plan);
  return {
    ...plan,
    ...terms,
    ...initiator,
    accountId,
    projectId,
    endUserId,
    walletId,
    counter: market.counter.asset,
    status: terms.approvalId ? "awaiting_approval" : lasts ? "open" : "pending",
    filledQuantity: "0",
    filledValue: "0",
    fees: [],
    transactionId: null,
    allowanceTransactionId: null,
    executingQuantity: "0",
    failedTrades: 0,
    chargedCredits: 0,
    failure: null,
    createdAt,
    updatedAt: createdAt,
    expiresAt: lasts ? endOf(plan) : null,
    endedAt: null,
  };
}

function endOf({ expiresAt }: OrderPlan): Date {
  return expiresAt === null ? new Date(currentMs() + ORDER_DAYS * DAY_MS) : new Date(expiresAt);
}

type Judged = Pick<OrderRow, "network" | "symbol" | "side" | "type" | "quantity" | "boundPrice">;

/** Judges the execution of a quantity of an order, as the venue's call alone would be judged. */
function judgeOrder(state: PolicyState, market: Market, order: Judged, quantity: bigint): Judgement {
  const { network } = order;
  const effects = effectsOf(market, order, quantity);
  return judge(state, { network, effects, description: describeOrder(market, order) });
}

/** `Buy 1.5 ETH for at most 3014.2 USD each, by a market order` */
function describeOrder({ base, counter }: Market, { side, type, quantity, boundPrice }: Judged): string {
  const [verb, bound] = side === "buy" ? ["Buy", "at most"] : ["Sell", "at least"];
  const price = `${boundPrice} ${counter.symbol} each`;
  return `${verb} ${quantity} ${base.symbol} for ${bound} ${price}, by a ${type} order`;
}

type Approvable = Pick<OrderRow, "walletId" | "symbol" | "side" | "type" | "quantity" | "boundPrice">;

/** Returns the payload that people approve: exactly this order, at this price or better. */
function approvalPayload({ walletId, symbol, side, type, quantity, boundPrice }: Approvable) {
  return { walletId, symbol, side, type, quantity, worstPrice: boundPrice };
}
