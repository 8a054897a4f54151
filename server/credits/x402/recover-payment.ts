import type { Db } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { currentMs } from "#server/base/clock.ts";
import { toUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { recordOutside } from "#server/operation/recorder.ts";
import type { Chains } from "#server/providers/chain/chains.ts";
import { creditPayment } from "./credit-payment.ts";
import { findTransfer } from "./find-transfer.ts";
import { followCredited } from "./follow-credited.ts";
import { closePayment, type PaymentRow, paymentWith } from "./payments.ts";

const AGAIN_MS = 15_000;
const LONGEST_MS = 3_600_000;

/**
 * Determines the outcome of a payment on the chain: credits it if it was made, and follows it until no reorganisation
 * can remove it. Returns when to check again; null once nothing can change any more.
 */
export async function recoverPayment(
  db: Db,
  chains: Chains,
  key: Pick<PaymentRow, "accountId" | "id">,
): Promise<Date | null> {
  const [payment] = await db.select().from(payments).where(paymentWith(key));
  if (!payment || payment.finalizedAt || payment.state === "lapsed" || payment.state === "reversed")
    return null;
  const chain = chains.find(payment.network);
  if (payment.state === "credited") {
    const isFinal = chain && (await followCredited(db, chain, payment).catch(logUnread));
    return isFinal ? null : new Date(currentMs() + followPauseMs(payment));
  }
  const found = chain && (await findTransfer(chain, payment).catch(logUnread));
  if (found?.outcome === "paid") {
    await db.transaction(async (tx) => {
      const { receiptId } = await creditPayment(tx, payment, found);
      await recordOutside(tx, {
        accountId: toUuid("account", payment.accountId),
        operation: "credits.x402.recover",
        resource: receiptId,
      });
    });
    return new Date(currentMs() + AGAIN_MS);
  }
  if (found?.outcome === "spent" || found?.outcome === "expired") {
    await closePayment(db, payment, "lapsed");
    return null;
  }
  return new Date(currentMs() + AGAIN_MS);
}

/**
 * The pause grows with the time since the payer's signature expired: from then on a lost payment cannot be settled
 * again.
 */
function followPauseMs({ validBefore }: PaymentRow): number {
  return Math.min(Math.max(AGAIN_MS, currentMs() - validBefore.getTime()), LONGEST_MS);
}

function logUnread(error: unknown): null {
  log.warn("A payment could not be looked up on the chain.", { error });
  return null;
}
