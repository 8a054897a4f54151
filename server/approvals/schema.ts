import { z } from "zod";
import { ActorType } from "#server/audit/schema.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
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
  .meta({ description: "Names the operation within its service.", examples: ["delete"] });

const Decision = z.enum(["approve", "reject"]).meta({ id: "Decision" });

const ApprovalActor = z
  .object({
    type: ActorType.describe("Whether a key, a person or the platform itself."),
    id: z.string().nullable().describe("Id of the key or the member; null for the platform."),
    label: z.string().describe("The key's label, or the person's name, at that time."),
  })
  .meta({ id: "ApprovalActor" });

export const ApprovalDecision = z
  .object({
    by: ApprovalActor.describe("Who decided."),
    decision: Decision.describe("What was decided."),
    reason: z.string().nullable().describe("Why, in their words."),
    at: instant,
  })
  .meta({ id: "ApprovalDecision", description: "One principal's decision on an approval." });

export const Approval = z
  .object({
    id: typeId("approval"),
    kind: z.enum(APPROVAL_KINDS).meta({ id: "ApprovalKind", description: "What kind of thing is approved." }),
    subject: z
      .object({
        serviceId,
        operationId,
        id: z.string().nullable().describe("The thing that waits for the decision, where there is one."),
      })
      .describe("What would be done."),
    summary: z.string().describe("A sentence that a person can judge."),
    reason: z
      .string()
      .nullable()
      .describe("Why it was asked for: in the words of who asked, or of the policy that wants it approved."),
    payload: z
      .unknown()
      .describe(
        "What exactly is approved; null once it is settled, for a key whose privacy tier keeps no bodies.",
      ),
    payloadHash: z.string().meta({
      description: "SHA-256, in hex, over the RFC 8785 form of the payload.",
      examples: [EXAMPLE_HASH],
    }),
    requestedBy: ApprovalActor.describe("Who asked."),
    requiredApprovals: z.int().describe("How many distinct approvers must approve."),
    initiatorMayApprove: z.boolean().describe("Whether who asked may decide too."),
    approvers: z
      .array(z.string())
      .nullable()
      .describe("Ids of the members and keys that may decide; null for everyone who has the scope."),
    decisions: z.array(ApprovalDecision).describe("What was decided so far, in order."),
    status: z.enum(APPROVAL_STATUSES).meta({
      id: "ApprovalStatus",
      description: "`approved` until the action is done, which makes it `consumed`. A single reject rejects.",
    }),
    runId: typeId("run").nullable().describe("The run that waits for it."),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The customer's own id of the end user that it belongs to."),
    createdAt: instant,
    expiresAt: instant,
    decidedAt: instant.nullable().describe("When it was approved or rejected."),
    consumedAt: instant.nullable().describe("When the action was done."),
  })
  .meta({
    id: "Approval",
    description: "A grave action that waits for a decision, and what became of it.",
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

const reason = z.string().max(2000, "At most 2,000 characters.");

export const CreateServiceAction = z.object({
  serviceId: serviceId.max(100),
  operationId: operationId
    .min(1)
    .max(100)
    .describe("The operation that needs an approval; `GET /capabilities/{serviceId}` says which do."),
  input: z.unknown().describe("Exactly the input that the operation will be called with."),
  reason: reason.nullable().optional().describe("Why, for those who decide."),
  requiredApprovals: z
    .int()
    .min(1, "At least 1.")
    .max(APPROVAL_LIMITS.maximumRequired, `At most ${APPROVAL_LIMITS.maximumRequired}.`)
    .default(1)
    .describe("How many distinct approvers must approve."),
  expiresInSeconds: z
    .int()
    .min(APPROVAL_LIMITS.minimumSeconds, `At least ${APPROVAL_LIMITS.minimumSeconds}.`)
    .max(APPROVAL_LIMITS.maximumSeconds, `At most ${APPROVAL_LIMITS.maximumSeconds}, seven days.`)
    .default(APPROVAL_LIMITS.defaultSeconds)
    .describe("After how many seconds it can neither be decided nor used. One day by default."),
});

export const DecideApproval = z.object({
  decision: Decision.describe("Approve what was asked for, or reject it."),
  reason: reason.nullable().optional().describe("Why."),
  payloadHash: z
    .string()
    .max(200)
    .meta({
      description: "The `payloadHash` of the approval as it was shown: what was not shown is not decided.",
      examples: [EXAMPLE_HASH],
    }),
});

export const ApprovalParams = z.object({ approvalId: typeId("approval") });

export const ApprovalMails = z
  .object({
    available: z.boolean().describe("Whether the installation has a mail server."),
    wanted: z.boolean().describe("Whether the member is mailed that approvals wait for their decision."),
  })
  .describe("Mails to a member about approvals of the account.");

export const PlannedChange = z
  .object({
    name: z.string().describe("What changes."),
    before: z.string().nullable().describe("What it is now; null for nothing."),
    after: z.string().nullable().describe("What it would be; null for nothing."),
  })
  .describe("Something that approving would change.");
