import type { Transaction } from "#db/client.ts";
import { requestApproval } from "#server/approvals/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Judgement } from "#server/wallets/judge.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import type { OrderPlan } from "./insert-order.ts";
import type { Market } from "./markets.ts";
import type { OrderRow } from "./queries.ts";

type Approvable = Pick<OrderRow, "walletId" | "symbol" | "side" | "type" | "quantity" | "boundPrice">;

/** Names the order that an approval is for. */
export const approvedAs = (id: string) => ({
  kind: "order" as const,
  serviceId: "managed-trading",
  subject: { operationId: "trading.orders.create", id },
});

/** What people approve: exactly this order, at this price or better. */
export function approvalPayload({ walletId, symbol, side, type, quantity, boundPrice }: Approvable) {
  return { walletId, symbol, side, type, quantity, worstPrice: boundPrice };
}

/** Asks those whom the wallet's policy names; answers the approval's id. */
export async function askForApproval(
  tx: Transaction,
  ask: {
    caller: Caller;
    wallet: WalletRow;
    market: Market;
    plan: OrderPlan;
    orderId: string;
    judged: Judgement;
  },
): Promise<string> {
  const { caller, wallet, market, plan, orderId, judged } = ask;
  const { requiredApprovals, initiatorMayApprove, approvers, expiresInSeconds } = judged.approval;
  const asked = await requestApproval(tx, {
    ...approvedAs(orderId),
    caller,
    summary: describeOrder(market, plan),
    reason: judged.reasons.join(" "),
    payload: approvalPayload({ ...plan, walletId: wallet.id }),
    requiredApprovals,
    initiatorMayApprove,
    approvers,
    expiresInSeconds,
  });
  return asked.id;
}

/** `Buy 1.5 ETH for at most 3014.2 USD each, by a market order.` */
function describeOrder({ base, counter }: Market, plan: OrderPlan): string {
  const [verb, bound] = plan.side === "buy" ? ["Buy", "at most"] : ["Sell", "at least"];
  const price = `${plan.boundPrice} ${counter.symbol} each`;
  return `${verb} ${plan.quantity} ${base.symbol} for ${bound} ${price}, by a ${plan.type} order.`;
}
