import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import type { Settlement, SignedTransfer } from "#server/providers/facilitator/facilitator.ts";
import { paymentRequired } from "./challenge.ts";
import { type Finding, findTransfer, type Proof } from "./find-transfer.ts";
import type { Offer } from "./offer.ts";
import { closePayment, type PaymentRow, settlementPending } from "./payments.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/**
 * Has a recorded payment settled, and returns the transfer that proves it on the chain: a facilitator's response alone
 * is not enough. A repeat without the signed transfer only looks for it.
 */
export async function settlePayment(
  db: Db,
  offer: Offer,
  { payment, transfer }: { payment: PaymentRow; transfer: SignedTransfer | null },
): Promise<Proof> {
  const deadline = performance.now() + offer.patienceMs;
  let found = await look();
  let refusal: string | null = null;
  if (found.outcome === "open" && transfer?.authorization.nonce === payment.nonce) {
    const settled = await offer.facilitator.settle(transfer, offer.requirement).catch(() => null);
    refusal = settled && refusalOf(settled);
    found = await look();
    for (let pause = FIRST_PAUSE_MS; isUnknown(found) && !refusal && performance.now() + pause < deadline; ) {
      await sleep(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      found = await look();
    }
  }
  const { outcome } = found;
  if (outcome === "paid") return found;
  if (outcome === "spent" || outcome === "expired") {
    await closePayment(db, payment, "lapsed");
    throw paymentRequired(
      offer,
      outcome === "spent" ? "its nonce was used for another transfer" : "it expired before it was settled",
    );
  }
  if (outcome === "open" && refusal) {
    await closePayment(db, payment, "refused");
    throw paymentRequired(offer, refusal);
  }
  throw settlementPending(`The payment with nonce ${payment.nonce} is being settled.`);

  // An unreachable chain says nothing about a transfer that was sent before.
  async function look(): Promise<Finding> {
    return findTransfer(offer.chain, payment).catch(() => ({ outcome: "coming" }));
  }
}

const isUnknown = ({ outcome }: Finding) => outcome === "open" || outcome === "coming";

/** Returns why nothing was sent to the chain; null if something may have been. */
function refusalOf({ success, transaction, errorReason = "" }: Settlement): string | null {
  if (success || transaction || errorReason === "") return null;
  return /pending|transaction_failed|transaction_state|unexpected|timeout/.test(errorReason)
    ? null
    : errorReason;
}
