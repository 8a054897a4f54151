import type { Transaction } from "#db/client.ts";
import { swapRoutes, swaps } from "#db/schema/swaps.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { newId } from "#server/ids.ts";
import { enqueueTransaction, type Sender } from "#server/wallets/enqueue-transaction.ts";
import { freeFunds, spendsOfCall } from "#server/wallets/funds.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { type SwapPlan, type SwapRow, sentCall, theSwap } from "./queries.ts";

/** The address that sends a swap, on its chain. */
export const senderOf = ({ accountId, id, address }: WalletRow, { from }: SwapPlan): Sender => ({
  accountId,
  walletId: id,
  network: from.network,
  address,
});

/**
 * Has the wallet send a swap: the allowance that it needs, and the step that gives, in that order. The sender is locked, so
 * that nothing of the wallet's comes in between: ids tell the order in which it sends. Its route follows what the chains
 * make of it.
 */
export async function sendSwap(
  tx: Transaction,
  { swap, wallet, plan }: { swap: SwapRow; wallet: WalletRow; plan: SwapPlan },
): Promise<void> {
  const { accountId, id, projectId, endUserId } = swap;
  const { from, to, nextBlock, destinationBlock, call } = plan;
  const chain = chainNamed(from.network, "body.quoteId");
  const maxFee = BigInt(plan.maxFee);
  const { address } = wallet;
  const shared = {
    wallet,
    chain,
    initiator: swap,
    quoteId: swap.quoteId,
    source: { type: "swap", id } as const,
    asset: from.asset,
    expiresAt: new Date(plan.expiresAt),
  };
  // From here on it is the transactions that funds are promised to.
  await freeFunds(tx, { accountId, owner: { type: "swap", id } });
  let allowance: Awaited<ReturnType<typeof enqueueTransaction>> | undefined;
  for (const approval of plan.approvals)
    allowance = await enqueueTransaction(tx, {
      ...shared,
      call: sentCall(approval),
      to: call.to,
      amount: "0",
      spends: spendsOfCall({ asset: "native", amount: "0" }, sentCall(approval), maxFee),
    });
  const source = await enqueueTransaction(tx, {
    ...shared,
    call: sentCall(call),
    to: call.to,
    amount: from.amount,
    spends: spendsOfCall(from, sentCall(call), maxFee),
  });
  const routeId = newId("route");
  await tx.insert(swapRoutes).values({
    accountId,
    projectId,
    endUserId,
    id: routeId,
    swapId: id,
    status: "prepared",
    from,
    to,
    call,
    sender: address,
    recipient: address,
    nextBlock,
    destinationBlock,
    expiresAt: new Date(plan.expiresAt),
  });
  await tx
    .update(swaps)
    .set({ routeId, allowanceTransactionId: allowance?.id ?? null, sourceTransactionId: source.id })
    .where(theSwap(swap));
}
