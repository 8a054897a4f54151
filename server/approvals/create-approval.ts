import { z } from "zod";
import { targetIn } from "#server/operation/access.ts";
import { operation } from "#server/operation/operation.ts";
import { requestApproval } from "./queries.ts";
import { Approval, CreateServiceAction } from "./schema.ts";
import { serviceAction } from "./service-action.ts";

export const createApproval = operation({
  id: "approvals.create",
  method: "POST",
  path: "/approvals/service-actions",
  summary: "Create an approval of a service action",
  description:
    "Asks that one operation of a service may be called once with exactly this input. When it is approved, call the operation with its `approvalId`. The requester may decide too, with `approvals:write`.",
  scope: "approvals:write",
  service: ({ body }) => ({ serviceId: targetIn(body).serviceId }),
  idempotent: true,
  body: CreateServiceAction,
  output: z.object({ approval: Approval }),
  status: 201,
  errors: ["not_found"],
  examples: {
    body: {
      serviceId: "managed-memory",
      operationId: "delete",
      input: { name: "greeting" },
      reason: "The customer asked for it.",
    },
  },

  async handler({ body, caller, db }) {
    const action = await serviceAction(body, caller);
    const { serviceId, operationId, summarize, bareSummary, rule, payload } = action;
    const { requiredApprovals, initiatorMayApprove, approvers } = await rule({ caller, db });
    const approval = await requestApproval(db, {
      caller,
      kind: "service_action",
      serviceId,
      subject: { operationId },
      summary: await summarize({ caller, db }),
      bareSummary,
      payload,
      reason: body.reason,
      requiredApprovals: Math.max(body.requiredApprovals, requiredApprovals),
      initiatorMayApprove,
      approvers,
      expiresInSeconds: body.expiresInSeconds,
    });
    return { approval };
  },
});
