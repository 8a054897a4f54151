import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { approvalDecisions, approvals } from "#db/schema/approvals.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { defined } from "#server/base/defined.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { emitApprovalEvent } from "./approval-events.ts";
import { isListed, type Principal, principalOf, samePrincipal } from "./principals.ts";
import { readApproval } from "./queries.ts";
import { type ApprovalRow, decisionsOn, lockApproval, settledPayload, withId } from "./rows.ts";
import { Approval, ApprovalParams, DecideApproval } from "./schema.ts";

export const decideApproval = operation({
  id: "approvals.decide",
  method: "POST",
  path: "/approvals/{approvalId}",
  summary: "Decide an approval",
  description:
    "Approves or rejects the shown action. It is approved when as many distinct approvers have approved as it requires; one reject ends it. A member with their keys counts as one approver, and so does a key with its ancestors and descendants. A key that is younger than the approval decides nothing.",
  scope: "approvals:write",
  stepUp: true,
  idempotent: true,
  params: ApprovalParams,
  body: DecideApproval,
  output: z.object({ approval: Approval }),
  errors: ["not_found", "policy_denied", "state_conflict"],

  async handler({ params, body, caller, db }) {
    // The lock makes concurrent deciders wait for each other, so that each is judged by the decisions before.
    const mine = allOf(visible(approvals, caller), withId(params.approvalId));
    const approval = await lockApproval(db, mine);
    if (!approval) throw notFound("approval", params.approvalId);
    const principal = await principalOf(db, caller);
    await refuseUnentitled(db, approval, caller, principal);
    const before = await decisionsOn(db, approval.accountId, [approval.id]);
    refuseUndecidable(approval, before, principal, body.payloadHash);
    await db.insert(approvalDecisions).values({
      ...principal,
      accountId: approval.accountId,
      approvalId: approval.id,
      place: before.length,
      decision: body.decision,
      reason: body.reason ?? null,
      at: sql`clock_timestamp()`,
    });
    const enough = before.length + 1 >= approval.requiredApprovals;
    if (body.decision === "approve" && !enough)
      return { approval: defined(await readApproval(db, { caller, approvalId: approval.id })) };
    await db
      .update(approvals)
      .set({
        decidedAt: sql`clock_timestamp()`,
        ...(body.decision === "reject" ? { status: "rejected", ...settledPayload } : { status: "approved" }),
      })
      .where(mine);
    return { approval: await emitApprovalEvent(db, approval, "approval.decided") };
  },
});

const denied = (message: string) => new ApiError("policy_denied", message);

/** Refuses callers who may not decide this approval, whatever its state. */
async function refuseUnentitled(
  tx: Transaction,
  approval: ApprovalRow,
  caller: Caller,
  principal: Principal,
): Promise<void> {
  if (!approval.initiatorMayApprove && samePrincipal(approval, principal))
    throw denied("Who asked for this approval may not decide it. Have another approver do so.");
  if (approval.approvers && !(await isListed(tx, approval.accountId, principal, approval.approvers)))
    throw denied("This approval is decided by the approvers that it lists. Have one of them do so.");
  if (caller.type !== "key") return;
  const [key] = await tx
    .select({ createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, caller.accountId), eq(apiKeys.id, caller.id)));
  if (!key || key.createdAt > approval.createdAt)
    throw denied(`Key ${caller.id} is younger than the approval. Decide with an older key.`);
}

type Decided = Awaited<ReturnType<typeof decisionsOn>>[number];

/** ` Ada rejected it on 2026-11-26T09:30:00.000Z.`, of the last decision; empty without one. */
function whoDecided(before: readonly Decided[]): string {
  const last = before.at(-1);
  if (!last) return "";
  return ` ${last.actorLabel} ${last.decision === "approve" ? "approved" : "rejected"} it on ${last.at.toISOString()}.`;
}

/** Refuses a decision that the approval's current state does not allow. */
function refuseUndecidable(
  approval: ApprovalRow,
  before: readonly Decided[],
  principal: Principal,
  shown: string,
): void {
  const conflict = (message: string) => new ApiError("state_conflict", message);
  if (approval.status !== "pending")
    throw conflict(
      `Approval ${approval.id} is ${approval.status}; only a pending one is decided.${whoDecided(before)}`,
    );
  if (before.some((decision) => samePrincipal(decision, principal)))
    throw conflict("You have decided this approval already, yourself or by a key of the same branch.");
  if (shown !== Buffer.from(approval.payloadHash).toString("hex"))
    throw conflict(
      "payloadHash is not the hash of this approval's payload: nothing was decided. Look at it again and send the hash that it shows.",
    );
}
