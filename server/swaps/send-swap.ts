import type { Transaction } from "#db/client.ts";
import { rowInserter } from "#db/insert-row.ts";
import { swapRoutes, swaps } from "#db/schema/swaps.ts";
import { newId } from "#server/base/ids.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { runBatch, type StatementBatch } from "#server/operation/statement-batch.ts";
import {
  idFrom,
  type Sender,
  sentTransaction,
  timeAfterWaiting,
} from "#server/wallets/enqueue-transaction.ts";
import type { QuotedWallet } from "#server/wallets/executions/kind.ts";
import { freedFunds, spendsOfCall } from "#server/wallets/funds.ts";
import { isSwap, type SwapPlan, type SwapRow, sentCall } from "./queries.ts";

const insertRoute = rowInserter(swapRoutes);

interface SwapToSend {
  swap: SwapRow;
  wallet: QuotedWallet;
  plan: SwapPlan;
  /** The time from which the ids of its transactions are made. */
  sendsFrom: Date;
}

/** The address that sends a swap, on its chain. */
export const senderOf = ({ accountId, id, address }: QuotedWallet, { from }: SwapPlan): Sender => ({
  accountId,
  walletId: id,
  network: from.network,
  address,
});

/**
 * Returns the change, the statements and the events by which the wallet sends a swap: its allowances, its last step, and
 * the route that follows the chains. The sender is locked, and ids increase in the order of sending, so that no other
 * transaction of the wallet comes in between.
 */
export function sentSwap({ swap, wallet, plan, sendsFrom }: SwapToSend) {
  const { accountId, id: swapId, projectId, endUserId } = swap;
  const { from, to, nextBlock, destinationBlock, call } = plan;
  const chain = chainNamed(from.network, "body.quoteId");
  const maxFee = BigInt(plan.maxFee);
  const { address, endUser } = wallet;
  const expiresAt = new Date(plan.expiresAt);
  const shared = {
    wallet,
    chain,
    initiator: swap,
    quoteId: swap.quoteId,
    source: { type: "swap", id: swapId } as const,
    asset: from.asset,
    to: sentCall(call).to,
    expiresAt,
  };
  const allowances = plan.approvals.map(sentCall).map((approval, nth) => {
    const id = idFrom(sendsFrom, nth);
    const spends = spendsOfCall({ asset: "native", amount: "0" }, approval, maxFee);
    return sentTransaction({ ...shared, id, call: approval, amount: "0", spends }, endUser);
  });
  const last = sentCall(call);
  const spends = spendsOfCall(from, last, maxFee);
  const id = idFrom(sendsFrom, allowances.length);
  const source = sentTransaction({ ...shared, id, call: last, amount: from.amount, spends }, endUser);
  const sent = [...allowances, source];
  const routeId = newId("route");
  const route = insertRoute({
    accountId,
    projectId,
    endUserId,
    id: routeId,
    swapId,
    status: "prepared",
    from,
    to,
    call,
    sender: address,
    recipient: address,
    nextBlock,
    destinationBlock,
    expiresAt,
  });
  return {
    change: {
      routeId,
      allowanceTransactionId: allowances.at(-1)?.row.id ?? null,
      sourceTransactionId: source.row.id,
    },
    statements: {
      // From here on, the funds are reserved for its transactions.
      freed: freedFunds({ accountId, owner: { type: "swap", id: swapId } }),
      ...Object.fromEntries(sent.flatMap(({ statements }, nth) => numbered(statements, nth))),
      route,
    },
    events: sent.map(({ event }) => event),
  };
}

const numbered = (statements: StatementBatch, nth: number) =>
  Object.entries(statements).map(([name, statement]) => [`${name}${nth}`, statement] as const);

/** Has the wallet send a stored swap. */
export async function sendSwap(tx: Transaction, toSend: Omit<SwapToSend, "sendsFrom">): Promise<void> {
  const sendsFrom = await timeAfterWaiting(tx, senderOf(toSend.wallet, toSend.plan));
  const { change, statements, events } = sentSwap({ ...toSend, sendsFrom });
  await runBatch(tx, statements);
  for (const event of events) await emitEvent(tx, event);
  await tx.update(swaps).set(change).where(isSwap(toSend.swap));
}
