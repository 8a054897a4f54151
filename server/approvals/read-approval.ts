import { z } from "zod";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { readApproval as findApproval } from "./queries.ts";
import { Approval, ApprovalParams } from "./schema.ts";

export const readApproval = operation({
  id: "approvals.read",
  method: "GET",
  path: "/approvals/{approvalId}",
  summary: "Read an approval",
  description: "Returns an approval with the decisions so far. Send its `payloadHash` with a decision.",
  scope: "approvals:read",
  params: ApprovalParams,
  output: z.object({ approval: Approval }),
  errors: ["not_found"],

  async handler({ params: { approvalId }, caller, db }) {
    const approval = await findApproval(db, { caller, approvalId });
    if (!approval) throw notFound("approval", approvalId);
    return { approval };
  },
});
