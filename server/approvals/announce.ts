import { and, eq, type SQL } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { wakeRun } from "#server/runs/queries.ts";
import { type ApprovalView, selectApprovals, toApprovals } from "./rows.ts";

/** Tells of what has become of an approval, in the transaction of the change; answers the approval as it is now. */
export async function announceApproval(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  type: "approval.requested" | "approval.decided" | "approval.expired",
): Promise<ApprovalView> {
  const one = and(eq(approvals.accountId, accountId), eq(approvals.id, id)) as SQL;
  const rows = await selectApprovals(tx).where(one);
  const [row] = rows;
  const [approval] = await toApprovals(tx, rows);
  if (!row || !approval) throw new Error(`There is no approval ${id} to tell of.`);
  const { projectId, endUserId, keepPayload, runId } = row;
  await emitEvent(tx, {
    ...{ type, accountId, projectId, endUserId, resource: id },
    // What a privacy tier does not let us keep must not be kept for webhooks either.
    data: { approval: keepPayload ? approval : { ...approval, payload: null } },
  });
  // Whether it may go on, the run judges itself.
  if (runId && type !== "approval.requested") await wakeRun(tx, { accountId, runId });
  return approval;
}
