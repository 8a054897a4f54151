import { TransactionReceiptNotFoundError } from "viem";
import type { Db } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { currentTime } from "#server/base/clock.ts";
import { toUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { recordOutside } from "#server/operation/recorder.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { adjustCredits } from "../post-credits.ts";
import { balanceOf } from "../queries.ts";
import { receiptFor } from "./credit-payment.ts";
import { findTransfer, type Proof } from "./find-transfer.ts";
import { creditsFor, offerFor } from "./offer.ts";
import { type PaymentRow, paymentWith } from "./payments.ts";

/**
 * Follows a credited payment through reorganisations: a payment that the chain has lost is settled again; if that is
 * impossible, its credits are taken back. Returns whether nothing can change any more.
 */
export async function followCredited(db: Db, chain: Chain, payment: PaymentRow): Promise<boolean> {
  const found = await findTransfer(chain, payment, chain.finality);
  switch (found.outcome) {
    case "paid":
      await finalize(db, payment, found);
      return true;
    case "open":
      await settleAgain(payment);
      return false;
    case "coming":
      return false;
    default:
      if (await knowsTransaction(chain, payment)) return false;
      await reverse(db, payment);
      return true;
  }
}

/** True if the node still has the transaction: a node that merely lags behind must not cost a customer credits. */
function knowsTransaction(chain: Chain, { transactionHash }: PaymentRow): Promise<boolean> {
  if (!transactionHash) return Promise.resolve(false);
  return callChain(chain, (client) =>
    client.getTransactionReceipt({ hash: transactionHash }).then(
      () => true,
      (reason) => {
        if (reason instanceof TransactionReceiptNotFoundError) return false;
        throw reason;
      },
    ),
  );
}

async function finalize(db: Db, payment: PaymentRow, { transactionHash, logIndex }: Proof): Promise<void> {
  const { receiptId } = payment;
  const moved = payment.transactionHash !== transactionHash || payment.logIndex !== logIndex;
  await db.transaction(async (tx) => {
    const proof = { transactionHash, logIndex };
    const receipt =
      moved && receiptId ? await receiptFor(tx, { ...payment, receiptId }, proof) : payment.receipt;
    await tx
      .update(payments)
      .set({ ...proof, receipt, transfer: null, finalizedAt: currentTime() })
      .where(paymentWith(payment));
  });
}

/** Asks the facilitator for the same transfer again; its nonce ensures that the token makes it once. */
async function settleAgain({ id, network, asset, payTo, cents, transfer }: PaymentRow): Promise<void> {
  const { facilitator, requirement } = await offerFor(cents);
  const isSame =
    requirement.network === network && requirement.asset === asset && requirement.payTo === payTo;
  if (!transfer || !isSame) return;
  log.warn("A credited payment has left the chain and is settled again.", { paymentId: id, network });
  const { success, errorReason } = await facilitator.settle(transfer, requirement);
  if (!success)
    log.warn("A payment could not be settled again.", { paymentId: id, network, reason: errorReason });
}

/** Takes back the credits that are still free; spent ones are the operator's loss. */
async function reverse(db: Db, payment: PaymentRow): Promise<void> {
  const { accountId, id, network, cents, receiptId } = payment;
  const credits = creditsFor(cents);
  const reversed = await db.transaction(async (tx) => {
    const [locked] = await tx.select().from(payments).where(paymentWith(payment)).for("update");
    if (locked?.state !== "credited") return null;
    const { availableCredits } = await balanceOf(tx, accountId);
    const reversed = Math.min(credits, availableCredits);
    if (reversed > 0)
      await adjustCredits(tx, {
        accountId,
        credits: -reversed,
        reference: `x402-reversed:${id}`,
        description: `Payment of ${(cents / 100).toFixed(2)} USD that has left the chain`,
      });
    await tx.update(payments).set({ state: "reversed", transfer: null }).where(paymentWith(payment));
    await recordOutside(tx, {
      accountId: toUuid("account", accountId),
      operation: "credits.x402.reverse",
      resource: receiptId,
    });
    return reversed;
  });
  if (reversed === null) return;
  log.error("A credited payment has left the chain, and its credits are taken back.", {
    paymentId: id,
    network,
    credits,
    reversed,
  });
}
