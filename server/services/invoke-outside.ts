import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { serviceCalls } from "#db/schema/services.ts";
import { type ApprovalUse, consumeApproval, restoreApproval } from "#server/approvals/queries.ts";
import type { Charge } from "#server/credits/charge.ts";
import { captureHold, type Hold, holdCredits, releaseHold } from "#server/credits/hold-credits.ts";
import { newUuid } from "#server/ids.ts";
import type { Commit } from "#server/operation/call.ts";
import { DatabaseLost, isDatabaseGone } from "#server/operation/faults.ts";
import { unitsOf } from "./prices.ts";
import type { OutsideCall, OutsideOutcome, Price } from "./service.ts";

interface Invocation<Output> {
  commit: Commit<Output>;
  /** `credits` is what it may cost at most. */
  charge: Charge;
  price: Price;
  approval: ApprovalUse | null;
  call: OutsideCall;
  outside(call: OutsideCall): Promise<OutsideOutcome>;
  answer(done: Extract<OutsideOutcome, { outcome: "done" }>, chargedCredits: number): Output;
}

/**
 * Invokes what acts outside the platform. What it may cost is set aside, and its approval used up, before anything is
 * sent; both stay so while its outcome is unknown, and a repeat goes on with them under the same idempotency key.
 */
export async function invokeOutside<Output>(invocation: Invocation<Output>): Promise<Output> {
  const { commit, price, call, outside, answer } = invocation;
  const begun = await commit.before((tx) => begin(tx, invocation));
  const outcome = await outside(call).catch(inDoubt);
  if (outcome.outcome !== "done") {
    const { error } = outcome;
    if (outcome.outcome === "failed")
      await commit.before((tx) => giveBack(tx, begun, error.operationState === "not_started")).catch(inDoubt);
    throw error;
  }
  return commit(async (tx) => {
    await forget(tx, begun);
    const { hold } = begun;
    const units = unitsOf(outcome.credits, price);
    return answer(outcome, hold ? await captureHold(tx, hold, outcome.credits, units) : 0);
  }).catch(inDoubt);
}

/** After something was sent, a database that is gone says nothing about what has happened. */
function inDoubt(reason: unknown): never {
  if (!isDatabaseGone(reason)) throw reason;
  throw new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost during the call. Repeat it with the same Idempotency-Key.",
    reason,
    "unknown",
  );
}

interface Begun {
  accountId: string;
  id: string;
  hold: Hold | null;
  approvalId: string | null;
}

/** Records the call before it is sent; one that is in doubt is gone on with as it was begun. */
async function begin(
  tx: Transaction,
  { call, charge, approval }: Pick<Invocation<never>, "call" | "charge" | "approval">,
): Promise<Begun> {
  const { caller, idempotencyKey: id } = call;
  const { accountId } = caller;
  const before = await tx.query.serviceCalls.findFirst({ where: sameCall({ accountId, id }) });
  if (before) {
    const { holdId, approvalId } = before;
    return { accountId, id, hold: holdId === null ? null : { accountId, id: holdId }, approvalId };
  }
  if (approval) await consumeApproval(tx, { ...approval, caller });
  const hold = charge.credits > 0 ? await holdCredits(tx, newUuid(), charge) : null;
  const approvalId = approval?.approvalId ?? null;
  await tx.insert(serviceCalls).values({ accountId, id, holdId: hold?.id ?? null, approvalId });
  return { accountId, id, hold, approvalId };
}

const sameCall = ({ accountId, id }: Pick<Begun, "accountId" | "id">) =>
  and(eq(serviceCalls.accountId, accountId), eq(serviceCalls.id, id));

async function forget(tx: Transaction, begun: Begun): Promise<void> {
  await tx.delete(serviceCalls).where(sameCall(begun));
}

/** A failure charges nothing; where nothing has happened, the approval is as good as before. */
async function giveBack(tx: Transaction, begun: Begun, nothingHappened: boolean): Promise<void> {
  const { accountId, approvalId, hold } = begun;
  await forget(tx, begun);
  if (approvalId !== null && nothingHappened) await restoreApproval(tx, { accountId, approvalId });
  if (hold) await releaseHold(tx, hold);
}
