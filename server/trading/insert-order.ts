import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { orders } from "#db/schema/trading.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import type { Market } from "./markets.ts";
import { type OrderRow, stands } from "./queries.ts";
import { ORDER_DAYS, type OrderTerms } from "./schema.ts";

/** What a quote of an order keeps for its execution. */
export interface OrderPlan extends OrderTerms, Record<string, unknown> {
  network: string;
  base: string;
  boundPrice: string;
}

export interface NewOrder extends Pick<OrderRow, "id" | "quoteId" | "clientReference" | "approvalId"> {
  wallet: WalletRow;
  market: Market;
  plan: OrderPlan;
  caller: Caller;
  requestId: string;
  heldCredits: number;
}

/** Writes an order down. The unique index decides who gets a client reference. */
export async function insertOrder(tx: Transaction, order: NewOrder): Promise<OrderRow> {
  const { wallet, market, plan, caller, id, quoteId, clientReference, approvalId } = order;
  const { accountId, projectId, endUserId, id: walletId } = wallet;
  const lasts = stands(plan);
  const [row] = await tx
    .insert(orders)
    .values({
      accountId,
      projectId,
      endUserId,
      id,
      walletId,
      quoteId,
      clientReference,
      approvalId,
      symbol: plan.symbol,
      network: plan.network,
      base: plan.base,
      counter: market.counter.asset,
      side: plan.side,
      type: plan.type,
      timeInForce: plan.timeInForce,
      quantity: plan.quantity,
      limitPrice: plan.limitPrice,
      slippageBps: plan.slippageBps,
      boundPrice: plan.boundPrice,
      status: approvalId ? "awaiting_approval" : lasts ? "open" : "pending",
      ...initiatorOf(caller),
      requestId: order.requestId,
      heldCredits: order.heldCredits,
      updatedAt: sql`clock_timestamp()`,
      expiresAt: lasts ? endOf(plan) : null,
    })
    .onConflictDoNothing({
      target: [orders.accountId, orders.walletId, orders.clientReference],
      where: sql`client_reference is not null`,
    })
    .returning();
  if (!row) throw await taken(tx, order);
  return row;
}

function endOf({ expiresAt }: OrderPlan): Date {
  return expiresAt === null ? new Date(Date.now() + ORDER_DAYS * 86_400_000) : new Date(expiresAt);
}

/** Names the order that has the reference already, whichever key gave it. */
async function taken(tx: Transaction, { wallet, clientReference }: NewOrder): Promise<ApiError> {
  const [first] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, wallet.accountId),
        eq(orders.walletId, wallet.id),
        eq(orders.clientReference, clientReference as string),
      ),
    );
  return new ApiError(
    "already_exists",
    `Order ${first?.id} of this wallet has clientReference ${JSON.stringify(clientReference)} already.`,
  );
}
