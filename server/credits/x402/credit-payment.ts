import type { Transaction } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { addPurchase } from "../post-credits.ts";
import { signReceipt } from "../receipts/sign-receipt.ts";
import type { Proof } from "./find-transfer.ts";
import { creditsFor } from "./offer.ts";
import { type PaymentRow, paymentWith } from "./payments.ts";

/** A payment whose credits were added. */
export type CreditedPayment = PaymentRow & Record<"transactionHash" | "receiptId" | "receipt", string>;

/** Adds the credits of a payment once: a second call with its proof finds them added. */
export async function creditPayment(
  tx: Transaction,
  { accountId, id }: PaymentRow,
  proof: Proof | null,
): Promise<CreditedPayment> {
  const [payment] = await tx.select().from(payments).where(paymentWith({ accountId, id })).for("update");
  if (payment?.state === "credited") return payment as CreditedPayment;
  if (!payment || !proof) throw new Error(`Payment ${id} is not there to be credited.`);
  const credits = creditsFor(payment.cents);
  const { receiptId } = await addPurchase(tx, {
    accountId,
    credits,
    reference: `x402:${id}`,
    description: `${(payment.cents / 100).toFixed(2)} USD by x402`,
  });
  const receipt = await receiptFor(tx, { ...payment, receiptId }, proof);
  const [credited] = await tx
    .update(payments)
    .set({ state: "credited", ...proof, receiptId, receipt })
    .where(paymentWith({ accountId, id }))
    .returning();
  return credited as CreditedPayment;
}

/** Returns the signed receipt of a payment that the transfer proves. */
export function receiptFor(
  tx: Transaction,
  { accountId, receiptId, cents, network, asset, payer, payTo }: PaymentRow & { receiptId: string },
  proof: Proof,
): Promise<string> {
  return signReceipt(tx, {
    accountId,
    receiptId,
    cents,
    credits: creditsFor(cents),
    payment: { network, asset, amount: String(cents / 100), payer, payTo, ...proof },
  });
}
