import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { approvals } from "#db/schema/approvals.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { wakeRun } from "#server/runs/queries.ts";
import { type ApprovalView, selectApprovals, toApprovals } from "./rows.ts";

type WaitingTask = "advanceTransaction" | "advanceSignature" | "advanceOrder" | "advanceSwap";

/** The job that continues the resource that waited for the decision. */
const WAITING: Partial<Record<ApprovalView["kind"], WaitingTask>> = {
  transaction: "advanceTransaction",
  signature: "advanceSignature",
  order: "advanceOrder",
  swap: "advanceSwap",
};

/**
 * Emits the event of an approval's change in its transaction, and wakes the run or resource that waits for it. Returns
 * the approval's current state.
 */
export async function emitApprovalEvent(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  type: "approval.requested" | "approval.decided" | "approval.expired",
): Promise<ApprovalView> {
  const one = allOf(eq(approvals.accountId, accountId), eq(approvals.id, id));
  const rows = await selectApprovals(tx).where(one);
  const [row] = rows;
  const [approval] = await toApprovals(tx, rows);
  if (!row || !approval) throw new Error(`There is no approval ${id}.`);
  const { projectId, endUserId, keepPayload, runId } = row;
  await emitEvent(tx, {
    type,
    accountId,
    projectId,
    endUserId,
    resource: id,
    // Payloads that the privacy tier does not keep must not be kept for webhooks either.
    data: { approval: keepPayload ? approval : { ...approval, payload: null } },
  });
  if (type === "approval.requested") return approval;
  // The woken run or job itself reads the decision.
  if (runId) await wakeRun(tx, { accountId, runId });
  const task = WAITING[approval.kind];
  const waiting = approval.subject.id;
  if (task && waiting)
    await enqueueJob(tx, { task, payload: { accountId, id: waiting }, key: `${task}/${waiting}` });
  return approval;
}
