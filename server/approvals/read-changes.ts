import { and } from "drizzle-orm";
import { z } from "zod";
import { approvals } from "#db/schema/approvals.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { type ApprovalRow, selectApprovals, toApprovals, withId } from "./rows.ts";
import { ApprovalParams, PlannedChange } from "./schema.ts";
import { serviceAction } from "./service-action.ts";

export const readChanges = operation({
  id: "approvals.changes.read",
  method: "GET",
  path: "/approvals/{approvalId}/changes",
  surfaces: ["console"],
  summary: "Read a pending service action's changes",
  description:
    "For members: the changes that approving a service action would make in the current state, and their maximum cost. Empty for other kinds, and once nothing waits any more.",
  scope: "approvals:read",
  params: ApprovalParams,
  output: z.object({
    changes: z.array(PlannedChange),
    maximumCredits: z.int().nullable().describe("Null where it is not known any more."),
  }),
  errors: ["not_found"],

  async handler({ params: { approvalId }, caller, db }) {
    const rows = await selectApprovals(db).where(and(visible(approvals, caller), withId(approvalId)));
    const [row] = rows;
    const [approval] = await toApprovals(db, rows);
    if (!row || !approval) throw notFound("approval", approvalId);
    const none = { changes: [], maximumCredits: null };
    if (row.kind !== "service_action" || row.status !== "pending") return none;
    const { input } = (approval.payload ?? {}) as { input?: unknown };
    const { serviceId, operationId } = row;
    const asker = inPlaceOf(caller, row);
    try {
      const action = await serviceAction({ serviceId, operationId, input }, asker);
      return { changes: await action.changes({ caller: asker, db }), maximumCredits: action.credits };
    } catch (reason) {
      // The target may be gone or unreachable now: the approval itself is still shown.
      if (reason instanceof ApiError) return none;
      throw reason;
    }
  },
});

/** Returns the caller, restricted to the approval's project and end user. */
function inPlaceOf(caller: Caller, { projectId, endUserId, endUser }: ApprovalRow): Caller {
  return {
    ...caller,
    project: projectId ? { id: projectId, status: "active", bound: true } : null,
    endUser: endUserId ? { id: endUserId, externalId: endUser ?? "", bound: true } : null,
  };
}
