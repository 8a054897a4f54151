import { parseUnits } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { consumeApproval, readApproval } from "#server/approvals/queries.ts";
import { readInitiator } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import { reserveCap } from "#server/wallets/caps.ts";
import { judge } from "#server/wallets/judge.ts";
import { type Market, marketFor } from "./markets.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { approvalPayload, approvedAs } from "./order-approval.ts";
import { effectsOf } from "./order-effects.ts";
import type { OrderRow } from "./queries.ts";

/** Why an order comes to nothing. */
export interface Failure {
  code: string;
  message: string;
}

/** Goes on with an order whose approval was decided or has expired; answers whether it may be executed now. */
export async function decideOrder(db: Db, seen: OrderRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (!row) return false;
    const { caller, refusal } = await readInitiator(tx, row, "trading:execute");
    if (!caller) {
      const message = `Who placed it may not trade any more (${refusal}).`;
      await moveOrder(tx, row, { status: "rejected", failure: { code: refusal, message } });
      return false;
    }
    const approval = await readApproval(tx, { caller, approvalId: row.approvalId as string });
    if (approval?.status === "rejected" || approval?.status === "expired")
      await moveOrder(tx, row, { status: approval.status });
    if (approval?.status !== "approved") return false;
    const failure = await judgeAgain(tx, row);
    if (failure) {
      await moveOrder(tx, row, { status: "rejected", failure });
      return false;
    }
    await consumeApproval(tx, {
      ...{ ...approvedAs(row.id), caller, approvalId: approval.id },
      payload: approvalPayload(row),
    });
    await moveOrder(tx, row, { status: row.expiresAt ? "open" : "pending" });
    return true;
  });
}

/** Why the policy does not let the whole order happen now, if it does not. */
async function judgeAgain(tx: Transaction, row: OrderRow): Promise<Failure | null> {
  const market = marketFor(row);
  if (!market) return { code: "service_unavailable", message: `${row.symbol} is not traded here any more.` };
  const wallet = { accountId: row.accountId, id: row.walletId };
  const { denied, valueUsd } = await judgePart(tx, market, row, row.quantity);
  if (denied) return denied;
  try {
    await reserveCap(tx, { wallet, subject: row.id, valueUsd });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** What the policy says to executing a part of an order now; what it has reserved does not count against it. */
export async function judgePart(
  db: Db | Transaction,
  market: Market,
  order: OrderRow,
  quantity: string,
): Promise<{ denied: Failure | null; valueUsd: string | null }> {
  const { decision, reasons, valueUsd } = await judge(db, {
    wallet: { accountId: order.accountId, id: order.walletId },
    network: order.network,
    effects: effectsOf(market, order, parseUnits(quantity, market.base.decimals)),
    subject: order.id,
  });
  const denied = decision === "deny" ? { code: "policy_denied", message: reasons.join(" ") } : null;
  return { denied, valueUsd };
}
