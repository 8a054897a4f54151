import { z } from "zod";
import { label } from "#server/operation/fields.ts";
import { AwaitedTemplates, EVENT_LIMITS } from "#server/sent-events/schema.ts";
import { common, expression, MAXIMUM_SECONDS, type Retry, text, value } from "./step-fields.ts";

/** What a workflow may measure; published in `/pricing`. */
export const WORKFLOW_LIMITS = {
  maximumSteps: 200,
  maximumDepth: 8,
  maximumBytes: 262_144,
  maximumExpressionCharacters: 4000,
  maximumConcurrency: 20,
  maximumItems: 1000,
  maximumOutputBytes: 4_194_304,
} as const;

/** What stored workflows may measure; published in `/pricing`. */
export const STORED_LIMITS = {
  /** Of one project; archived ones do not count. */
  maximumStoredWorkflows: 500,
  /** A workflow's JSON together with its input schema's. */
  maximumStoredBytes: 262_144,
  /** Older ones are dropped, except those that live runs are of. */
  keptVersions: 100,
  /** How many runs may be below one, each waiting for the next. */
  maximumRunDepth: 5,
} as const;

/** Where the workflow's JSON Schema is published, relative to the host. */
export const WORKFLOW_SCHEMA_PATH = "/docs/workflow.schema.json";

/** The name under which a workflow is stored. */
export const workflowName = z
  .string()
  .max(100, "At most 100 characters.")
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lower-case letters and digits, with single hyphens between them.")
  .meta({ description: "The name under which the workflow is stored.", examples: ["restock"] });

export const workflowVersion = z.int().min(1).max(2_147_483_647);

const InvokeStep = z.strictObject({
  ...common,
  type: z.literal("invoke").describe("Invokes a managed service's operation. Output: its `result`."),
  serviceId: z.string().max(100).describe("The service, e.g. `managed-memory`."),
  operationId: z.string().max(100).describe("The service's operation, e.g. `put`."),
  input: value.describe("The operation's input."),
  approvalId: text.optional().describe("The approval of exactly this input, where the operation needs one."),
  connectionId: text
    .optional()
    .describe("The connection whose credential the operation uses, where it uses one."),
});

const OperationStep = z.strictObject({
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
      "Has the step wait, without a worker, until somebody [calls back](/docs/waiting) at the address that its texts read as `{% callback.url %}`. What is posted there is its output.",
    examples: [{ timeoutSeconds: 3600, heartbeatSeconds: 60 }],
  });

const HttpStep = z.strictObject({
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

const WaitStep = z.strictObject({
  ...common,
  type: z.literal("wait").describe("Waits; a restart of the platform does not shorten it. Output: null."),
  seconds: z
    .union([z.number().min(0).max(MAXIMUM_SECONDS), expression], "Send a number, or an expression {% … %}.")
    .describe("For how long, up to 30 days."),
});

const AwaitStep = z.strictObject({
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

const ApprovalStep = z.strictObject({
  ...common,
  type: z
    .literal("approval")
    .describe(
      "Waits until another principal than the run's initiator approves. Rejected, the run fails with `approval_rejected`. Output: `{ id }` of the approval.",
    ),
  summary: text.describe("What is to be judged, as a sentence for a person."),
});

const ArtifactStep = z.strictObject({
  ...common,
  type: z.literal("artifact").describe("Keeps content as an artifact of the run. Output: the artifact."),
  name: text.describe("The artifact's file name."),
  mediaType: z.string().max(200).describe("Its media type, e.g. `text/plain`."),
  content: value.describe("A text is written as it is, anything else as JSON."),
});

const RunStep = z.strictObject({
  ...common,
  type: z
    .literal("run")
    .describe(
      `Runs a stored workflow as a run of its own, in the name of the same caller, and waits for its end; it is cancelled with this run. At most ${STORED_LIMITS.maximumRunDepth} deep. Output: what that workflow puts out.`,
    ),
  name: workflowName,
  version: workflowVersion.optional().describe("The version; by default the newest at that time."),
  input: value.optional().describe("What its expressions read as `input`."),
});

const BranchCase = z
  .strictObject({
    when: value.describe(
      "Whether this case is taken: all but false, null, 0 and what is empty takes it. The first that holds wins.",
    ),
    get steps(): z.ZodType<Step[]> {
      return Steps;
    },
  })
  .meta({ id: "WorkflowCase", description: "Steps under a condition." });

const BranchStep = z.strictObject({
  ...common,
  type: z
    .literal("branch")
    .describe("Takes the first case that holds. Output: that of the last step taken, else null."),
  cases: z.array(BranchCase).min(1).max(50).describe("The cases, judged in order."),
  get else(): z.ZodOptional<z.ZodType<Step[]>> {
    return Steps.optional().describe("The steps where no case holds.");
  },
});

const MapStep = z.strictObject({
  ...common,
  type: z
    .literal("map")
    .describe(
      "Runs steps once per item, with `item` and `index` in their expressions. Output: the last step's outputs, in the items' order.",
    ),
  items: z
    .union([z.array(value), expression], "Send a list, or an expression {% … %}.")
    .describe(`The items, at most ${WORKFLOW_LIMITS.maximumItems}.`),
  concurrency: z
    .int()
    .min(1)
    .max(WORKFLOW_LIMITS.maximumConcurrency)
    .describe(`How many items at a time, 1 to ${WORKFLOW_LIMITS.maximumConcurrency}.`),
  get steps(): z.ZodType<Step[]> {
    return Steps;
  },
});

interface Common {
  id: string;
  retry?: z.output<typeof Retry> | undefined;
  timeoutSeconds?: number | undefined;
}

// Said twice, since a type can't be inferred from a schema that contains itself.
export interface BranchStep extends Common {
  type: "branch";
  cases: { when: unknown; steps: Step[] }[];
  else?: Step[] | undefined;
}

export interface MapStep extends Common {
  type: "map";
  items: unknown[] | string;
  concurrency: number;
  steps: Step[];
}

/** A step of a workflow. */
export type Step =
  | z.output<typeof InvokeStep>
  | z.output<typeof OperationStep>
  | z.output<typeof HttpStep>
  | z.output<typeof WaitStep>
  | z.output<typeof AwaitStep>
  | z.output<typeof ApprovalStep>
  | z.output<typeof ArtifactStep>
  | z.output<typeof RunStep>
  | BranchStep
  | MapStep;

const STEP_TYPES = [
  "invoke",
  "operation",
  "http",
  "wait",
  "await",
  "approval",
  "branch",
  "map",
  "artifact",
  "run",
] as const;

const Step = z
  .discriminatedUnion(
    "type",
    [
      InvokeStep,
      OperationStep,
      HttpStep,
      WaitStep,
      AwaitStep,
      ApprovalStep,
      BranchStep,
      MapStep,
      ArtifactStep,
      RunStep,
    ],
    `Send one of ${STEP_TYPES.join(", ")}.`,
  )
  .meta({ id: "WorkflowStep", description: "A step of a workflow." });

const Steps: z.ZodType<Step[]> = z
  .array(Step)
  .min(1, "At least one step.")
  .max(WORKFLOW_LIMITS.maximumSteps)
  .meta({ id: "WorkflowSteps", description: "Steps, one after another." });

export const Workflow = z
  .strictObject({
    name: label.describe("What people call it."),
    steps: Steps,
    output: value.optional().describe("What the run answers as `output`; by default the last step's output."),
  })
  .meta({
    id: "Workflow",
    title: "Workflow",
    description:
      "Steps that run durably, one after another. A text `{% … %}` is a JSONata expression over `{ input, steps, item, index }` and becomes its value; within a longer text it becomes part of the text.",
    examples: [
      {
        name: "Greet",
        steps: [
          {
            id: "greet",
            type: "invoke",
            serviceId: "managed-memory",
            operationId: "put",
            input: { name: "greeting", content: "Hello, {% input.name %}." },
          },
        ],
        output: "{% steps.greet.memory.id %}",
      },
    ],
  });

export type Workflow = z.output<typeof Workflow>;
