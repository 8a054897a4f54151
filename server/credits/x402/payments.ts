import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { payments } from "#db/schema/payments.ts";
import { newUuid } from "#server/base/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { SignedTransfer } from "#server/providers/facilitator/facilitator.ts";
import { paymentRequired } from "./challenge.ts";
import type { Offer } from "./offer.ts";

export type PaymentRow = typeof payments.$inferSelect;

/** The delay in seconds before the chain is asked about a payment whose call did not learn its outcome. */
const RECOVERY_SECONDS = 20;

export const paymentWith = ({ accountId, id }: Pick<PaymentRow, "accountId" | "id">): SQL =>
  allOf(eq(payments.accountId, accountId), eq(payments.id, id));

/** Returns the payment that a call has begun or completed; undefined if all of its payments were refused. */
export async function paymentOfCall(
  db: Db,
  { accountId, effectId }: { accountId: string; effectId: string },
): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        eq(payments.effectId, effectId),
        inArray(payments.state, ["settling", "credited"]),
      ),
    )
    .orderBy(asc(payments.state), asc(payments.createdAt))
    .limit(1);
  return row;
}

/** Records a payment that is about to be settled. A second one with the same authorization is refused. */
export async function beginPayment(
  tx: Transaction,
  begun: { accountId: string; effectId: string; offer: Offer; transfer: SignedTransfer; fromBlock: bigint },
): Promise<PaymentRow> {
  const { accountId, effectId, offer, transfer, fromBlock } = begun;
  const { network, asset, payTo, amount } = offer.requirement;
  const { from: payer, nonce, validBefore } = transfer.authorization;
  const [row] = await tx
    .insert(payments)
    .values({
      accountId,
      id: newUuid(),
      effectId,
      network,
      asset,
      payer,
      nonce,
      payTo,
      fromBlock,
      units: amount,
      cents: offer.cents,
      state: "settling",
      transfer,
      validBefore: new Date(Number(validBefore) * 1000),
    })
    .onConflictDoUpdate({
      target: [payments.network, payments.asset, payments.payer, payments.nonce],
      // The call whose payment was refused may try again.
      set: { state: "settling", transfer },
      setWhere: and(
        eq(payments.accountId, accountId),
        eq(payments.effectId, effectId),
        inArray(payments.state, ["settling", "refused"]),
      ),
    })
    .returning();
  if (!row) throw await takenBefore(tx, offer, { network, asset, payer, nonce });
  await watchPayment(tx, row);
  return row;
}

type Authorization = Pick<PaymentRow, "network" | "asset" | "payer" | "nonce">;

async function takenBefore(tx: Transaction, offer: Offer, authorization: Authorization): Promise<ApiError> {
  const { network, asset, payer, nonce } = authorization;
  const [row] = await tx
    .select({ state: payments.state })
    .from(payments)
    .where(
      and(
        eq(payments.network, network),
        eq(payments.asset, asset),
        eq(payments.payer, payer),
        eq(payments.nonce, nonce),
      ),
    );
  if (row?.state !== "settling")
    return paymentRequired(offer, `the authorization with nonce ${nonce} was presented before`);
  return settlementPending(`The authorization with nonce ${nonce} is being settled for another call.`);
}

/** Returns the error for a payment whose outcome is still unknown. */
export function settlementPending(fault: string): ApiError {
  return new ApiError("settlement_pending", `${fault} Repeat the call for its outcome; do not pay again.`, {
    retryAfterSeconds: 3,
  });
}

/** Has a worker ask the chain later, in case this process dies. */
async function watchPayment(tx: Transaction, { accountId, id }: PaymentRow): Promise<void> {
  const key = `payment/${id}`;
  await enqueueJob(tx, {
    task: "recoverPayment",
    payload: { accountId, id },
    key,
    delaySeconds: RECOVERY_SECONDS,
  });
}

/** Marks a payment as refused or lapsed; a credited one stays credited. */
export async function closePayment(db: Db, row: PaymentRow, state: "refused" | "lapsed"): Promise<void> {
  await db
    .update(payments)
    .set({ state, ...(state === "lapsed" && { transfer: null }) })
    .where(and(paymentWith(row), inArray(payments.state, ["settling", "refused"])));
}
