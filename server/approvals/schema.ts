import { z } from "zod";
import { ActorType } from "#server/audit/schema.ts";
import { exampleId, instant, keepsDirection, turnsDirection, typeId } from "#server/operation/fields.ts";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "./statuses.ts";

/** The limits of an approval: distinct approvers, and its lifetime. */
export const APPROVAL_LIMITS = {
  maximumRequired: 20,
  minimumSeconds: 60,
  maximumSeconds: 604_800,
  defaultSeconds: 86_400,
} as const;

const EXAMPLE_HASH = "9288f633f6fbf0e1dba30d05d90f2d51b52bc69e6cd8e083bcf0b545028ed838";

const serviceId = z.string().meta({ description: "Id of the service.", examples: ["managed-memory"] });
const operationId = z
  .string()
  .meta({ description: "The operation's id within its service.", examples: ["delete"] });

const Decision = z.enum(["approve", "reject"]).meta({ id: "Decision" });

const ApprovalActor = z
  .object({
    type: ActorType.describe("The kind of principal: a key, a person or the platform itself."),
    id: z.string().nullable().describe("The id of the key or member; null for the platform."),
    label: z.string().describe("The key's label or the person's name at that time."),
  })
  .meta({ id: "ApprovalActor" });

const ApprovalDecision = z
  .object({
    by: ApprovalActor.describe("The key or person who decided."),
    decision: Decision.describe("The decision."),
    reason: z.string().nullable().describe("The reason that they gave."),
    at: instant,
  })
  .meta({ id: "ApprovalDecision", description: "One principal's decision on an approval." });

export const Approval = z
  .object({
    id: typeId("approval"),
    kind: z.enum(APPROVAL_KINDS).meta({ id: "ApprovalKind", description: "The kind of action." }),
    subject: z
      .object({
        serviceId,
        operationId,
        id: z
          .string()
          .nullable()
          .describe("The id of the resource that waits for the decision; null if there is none."),
      })
      .describe("The action to approve."),
    summary: z.string().describe("A sentence that describes the action to a person."),
    reason: z
      .string()
      .nullable()
      .describe("The reason that the requester gave, or for which the policy requires the approval."),
    payload: z
      .unknown()
      .describe(
        "The exact payload to approve; null after the approval is settled if the key's privacy tier stores no bodies.",
      ),
    payloadHash: z.string().meta({
      description: "The SHA-256 of the payload's RFC 8785 form, in hex.",
      examples: [EXAMPLE_HASH],
    }),
    requestedBy: ApprovalActor.describe("The key or person who requested the approval."),
    requiredApprovals: z.int().describe("The required number of distinct approvers."),
    initiatorMayApprove: z.boolean().describe("Whether the requester may decide too."),
    approvers: z
      .array(z.string())
      .nullable()
      .describe("The ids of the members and keys that may decide; null for everyone with the scope."),
    decisions: z.array(ApprovalDecision).describe("The decisions so far, in order."),
    status: z.enum(APPROVAL_STATUSES).meta({
      id: "ApprovalStatus",
      description:
        "The status. `approved` becomes `consumed` when the action is executed. One rejection is enough for `rejected`.",
    }),
    runId: typeId("run").nullable().describe("The run that waits for the approval."),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("Your own id of the end user to whom the approval belongs."),
    createdAt: instant,
    expiresAt: instant,
    decidedAt: instant.nullable().describe("The time when it was approved or rejected."),
    consumedAt: instant.nullable().describe("The time when the action was executed."),
  })
  .meta({
    id: "Approval",
    description: "An action that requires an approval, with its decisions.",
    examples: [
      {
        id: exampleId("approval"),
        kind: "service_action",
        subject: { serviceId: "managed-memory", operationId: "delete", id: null },
        summary:
          'Delete the memory "greeting" for good: 1,204 characters, last changed on 28 January 2027 at 09:30 UTC.',
        reason: "The customer asked for it.",
        payload: { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } },
        payloadHash: EXAMPLE_HASH,
        requestedBy: { type: "key", id: exampleId("apiKey"), label: "Backend" },
        requiredApprovals: 1,
        initiatorMayApprove: true,
        approvers: null,
        decisions: [],
        status: "pending",
        runId: null,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        expiresAt: "2027-02-01T12:00:00.000Z",
        decidedAt: null,
        consumedAt: null,
      },
    ],
  });

export type Approval = z.output<typeof Approval>;

const reason = z.string().max(2000, "At most 2,000 characters.").refine(keepsDirection, turnsDirection);

export const CreateServiceAction = z.object({
  serviceId: serviceId.max(100),
  operationId: operationId
    .min(1)
    .max(100)
    .describe(
      "The operation that requires an approval; `GET /capabilities/{serviceId}` says which operations do.",
    ),
  input: z.unknown().describe("The exact input with which the operation will be called."),
  reason: reason.nullable().optional().describe("The reason, for the approvers."),
  requiredApprovals: z
    .int()
    .min(1, "At least 1.")
    .max(APPROVAL_LIMITS.maximumRequired, `At most ${APPROVAL_LIMITS.maximumRequired}.`)
    .default(1)
    .describe("The required number of distinct approvers."),
  expiresInSeconds: z
    .int()
    .min(APPROVAL_LIMITS.minimumSeconds, `At least ${APPROVAL_LIMITS.minimumSeconds}.`)
    .max(APPROVAL_LIMITS.maximumSeconds, `At most ${APPROVAL_LIMITS.maximumSeconds}, seven days.`)
    .default(APPROVAL_LIMITS.defaultSeconds)
    .describe("The seconds after which the approval can be neither decided nor used. One day by default."),
});

export const DecideApproval = z.object({
  decision: Decision.describe("The decision."),
  reason: reason.nullable().optional().describe("The reason for the decision."),
  payloadHash: z
    .string()
    .max(200)
    .meta({
      description:
        "The `payloadHash` of the approval as it was shown; the decision counts only for this payload.",
      examples: [EXAMPLE_HASH],
    }),
});

export const ApprovalParams = z.object({ approvalId: typeId("approval") });

export const ApprovalMails = z
  .object({
    available: z.boolean().describe("Whether the installation has a mail server."),
    wanted: z
      .boolean()
      .describe("Whether the member gets mails about approvals that wait for their decision."),
  })
  .describe("Mails to a member about approvals of the account.");

export const PlannedChange = z
  .object({
    name: z.string().describe("The name of the setting that changes."),
    before: z.string().nullable().describe("The current value; null for none."),
    after: z.string().nullable().describe("The value after the approval; null for none."),
  })
  .describe("A change that the approval would make.");
