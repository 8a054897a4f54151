import { z } from "zod";
import { AwaitedTemplates, EVENT_LIMITS } from "#server/sent-events/schema.ts";
import { STORED_LIMITS } from "./limits.ts";
import { common, expression, MAXIMUM_SECONDS, shownText, text, value } from "./step-fields.ts";

/** The name under which a workflow is stored. */
export const workflowName = z
  .string()
  .max(100, "At most 100 characters.")
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lower-case letters and digits, with single hyphens between them.")
  .meta({ description: "The name under which the workflow is stored.", examples: ["restock"] });

export const workflowVersion = z.int().min(1).max(2_147_483_647);

export const InvokeStep = z.strictObject({
  ...common,
  type: z.literal("invoke").describe("Invokes a managed service's operation. Output: its `result`."),
  serviceId: z.string().max(100).describe("The service, e.g. `managed-memory`."),
  operationId: z.string().max(100).describe("The service's operation, e.g. `put`."),
  input: value.describe("The operation's input."),
  approvalId: text.optional().describe("The approval of exactly this input, if the operation requires one."),
  connectionId: text
    .optional()
    .describe("The connection whose credential the operation uses, if it uses one."),
});

export const OperationStep = z.strictObject({
  ...common,
  type: z.literal("operation").describe("Calls an operation of the platform. Output: the answer's body."),
  operation: z.string().max(100).describe("The operation's id, e.g. `projects.create`."),
  params: z.record(z.string(), value).optional().describe("Its path parameters."),
  query: z.record(z.string(), value).optional().describe("Its query parameters."),
  body: value.optional().describe("Its body."),
});

const Callback = z
  .strictObject({
    timeoutSeconds: z.number().min(1).max(MAXIMUM_SECONDS).describe("How long it waits, up to 30 days."),
    heartbeatSeconds: z
      .int()
      .min(1)
      .max(MAXIMUM_SECONDS)
      .optional()
      .describe("How long it waits at most between two heartbeats."),
  })
  .meta({
    id: "WorkflowCallback",
    description:
      "Has the step wait, without a worker, until somebody [calls back](/docs/waiting) at the address that its texts read as `{% callback.url %}`. The posted body is its output.",
    examples: [{ timeoutSeconds: 3600, heartbeatSeconds: 60 }],
  });

export const HttpStep = z.strictObject({
  ...common,
  type: z
    .literal("http")
    .describe(
      "Sends a request with a connection's credential. Output: `{ status, headers, body }`; an answer of 429 or 5xx fails the step.",
    ),
  connectionId: z.string().max(4000).describe("The connection whose credential is used."),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).describe("The HTTP method."),
  url: text.describe("The address; its host must be among the connection's."),
  headers: z.record(z.string().max(200), text).optional().describe("Further request headers."),
  body: value.optional().describe("A text is sent as it is, anything else as JSON."),
  callback: Callback.optional(),
});

export const WaitStep = z.strictObject({
  ...common,
  type: z.literal("wait").describe("Waits; a restart of the platform does not shorten it. Output: null."),
  seconds: z
    .union([z.number().min(0).max(MAXIMUM_SECONDS), expression], "Send a number, or an expression {% … %}.")
    .describe("For how long, up to 30 days."),
});

export const AwaitStep = z.strictObject({
  ...common,
  type: z
    .literal("await")
    .describe(
      "Waits for the first of several [events](/docs/waiting) that the account sends. Output: `{ event, timedOut }`, with `{ id, name, key, data, sentAt }` as `event`.",
    ),
  events: AwaitedTemplates.describe("The events, of which the first that comes is taken."),
  lookbackSeconds: z
    .int()
    .min(0)
    .max(EVENT_LIMITS.keptSeconds)
    .optional()
    .describe("How long ago the event may have been sent; by default since the run's start."),
  timeoutSeconds: z.number().min(0.001).max(MAXIMUM_SECONDS).describe("How long it waits, up to 30 days."),
  onTimeout: z
    .enum(["fail", "continue"])
    .optional()
    .describe("Whether it then fails with `service_timeout` (the default) or is done without an event."),
});

export const ApprovalStep = z.strictObject({
  ...common,
  type: z
    .literal("approval")
    .describe(
      "Waits until another principal than the run's initiator approves. Rejected, the run fails with `approval_rejected`. Output: `{ id }` of the approval.",
    ),
  summary: shownText.describe("The request to decide on, as a sentence for a person."),
});

export const ArtifactStep = z.strictObject({
  ...common,
  type: z.literal("artifact").describe("Keeps content as an artifact of the run. Output: the artifact."),
  name: shownText.describe("The artifact's file name."),
  mediaType: z.string().max(200).describe("Its media type, e.g. `text/plain`."),
  content: value.describe("A text is written as it is, anything else as JSON."),
});

export const RunStep = z.strictObject({
  ...common,
  type: z
    .literal("run")
    .describe(
      `Runs a stored workflow as a run of its own, in the name of the same caller, and waits for its end; it is cancelled with this run. At most ${STORED_LIMITS.maximumRunDepth} deep. Output: that workflow's output.`,
    ),
  name: workflowName,
  version: workflowVersion.optional().describe("The version; by default the newest at that time."),
  input: value.optional().describe("Its input, which its expressions read as `input`."),
});
