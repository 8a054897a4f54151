import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { serviceCalls } from "#db/schema/services.ts";
import { type ApprovalUse, consumeApproval, restoreApproval } from "#server/approvals/queries.ts";
import { newUuid } from "#server/base/ids.ts";
import type { Charge } from "#server/credits/charge.ts";
import { captureHold, type Hold, holdCredits, releaseHold } from "#server/credits/hold-credits.ts";
import { DatabaseLost, isDatabaseGone } from "#server/operation/faults.ts";
import type { Commit } from "#server/operation/operation.ts";
import { unitsOf } from "./prices.ts";
import type { OutsideCall, OutsideOutcome, Price } from "./service.ts";

interface Invocation<Output> {
  commit: Commit<Output>;
  /** `credits` is the maximum price. */
  charge: Charge;
  price: Price;
  approval: ApprovalUse | null;
  call: OutsideCall;
  outside(call: OutsideCall): Promise<OutsideOutcome>;
  answer(done: Extract<OutsideOutcome, { outcome: "done" }>, chargedCredits: number): Output;
}

/**
 * Invokes an operation that acts outside the platform. Before anything is sent, its maximum price is held and its
 * approval consumed; both stay so while the outcome is unknown, and a repeat continues with them under the same
 * idempotency key.
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

/** Reports a lost database as an unknown outcome: after something was sent, it may have happened. */
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

/** Records the call before it is sent; a call in doubt continues with its original record. */
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

/** Releases the held credits of a failed call; if nothing has happened, its approval can be used again. */
async function giveBack(tx: Transaction, begun: Begun, nothingHappened: boolean): Promise<void> {
  const { accountId, approvalId, hold } = begun;
  await forget(tx, begun);
  if (approvalId !== null && nothingHappened) await restoreApproval(tx, { accountId, approvalId });
  if (hold) await releaseHold(tx, hold);
}
