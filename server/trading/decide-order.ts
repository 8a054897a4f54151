import { parseUnits } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import { type Failure, readDecision, useApproval } from "#server/wallets/approved.ts";
import { type Ask, judge } from "#server/wallets/judge.ts";
import { type Market, marketFor } from "./markets.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { approvalPayload, approvedAs } from "./order-approval.ts";
import { effectsOf } from "./order-effects.ts";
import type { OrderRow } from "./queries.ts";

/** Goes on with an order whose approval was decided or has expired; answers whether it may be executed now. */
export async function decideOrder(db: Db, seen: OrderRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (!row) return false;
    const decided = await readDecision(tx, row, "trading:execute");
    if (decided.type === "waiting") return false;
    if (decided.type === "rejected" || decided.type === "expired") {
      await moveOrder(tx, row, { status: decided.type });
      return false;
    }
    const failure = decided.type === "failed" ? decided.failure : await goOn(tx, row, decided.caller);
    await moveOrder(
      tx,
      row,
      failure ? { status: "rejected", failure } : { status: row.expiresAt ? "open" : "pending" },
    );
    return failure === null;
  });
}

async function goOn(tx: Transaction, row: OrderRow, caller: Caller): Promise<Failure | null> {
  const market = marketFor(row);
  if (!market) return { code: "service_unavailable", message: `${row.symbol} is not traded here any more.` };
  return useApproval(tx, {
    wallet: { accountId: row.accountId, id: row.walletId },
    subject: row.id,
    judge: () => judge(tx, askOf(market, row, row.quantity)),
    use: {
      ...approvedAs(row.id),
      caller,
      approvalId: row.approvalId as string,
      payload: approvalPayload(row),
    },
  });
}

/** Executing that much of an order, as the policy judges it: what the order has reserved does not count against it. */
export function askOf(market: Market, order: OrderRow, quantity: string): Ask {
  return {
    wallet: { accountId: order.accountId, id: order.walletId },
    network: order.network,
    effects: effectsOf(market, order, parseUnits(quantity, market.base.decimals)),
    subject: order.id,
  };
}
