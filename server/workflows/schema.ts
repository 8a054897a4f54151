import { z } from "zod";
import { label } from "#server/operation/fields.ts";
import { WORKFLOW_LIMITS } from "./limits.ts";
import {
  ApprovalStep,
  ArtifactStep,
  AwaitStep,
  HttpStep,
  InvokeStep,
  OperationStep,
  RunStep,
  WaitStep,
} from "./single-steps.ts";
import { caughtCodes, common, expression, type Retry, stepId, value } from "./step-fields.ts";

/** Where the workflow's JSON Schema is published, relative to the host. */
export const WORKFLOW_SCHEMA_PATH = "/docs/workflow.schema.json";

const BranchCase = z
  .strictObject({
    when: value.describe(
      "The condition: the case is executed unless the value is false, null, 0 or empty. The first case whose condition holds wins.",
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
    .describe(
      "Executes the first case whose condition holds. Output: that of the last executed step, otherwise null.",
    ),
  cases: z.array(BranchCase).min(1).max(50).describe("The cases, judged in order."),
  get else(): z.ZodOptional<z.ZodType<Step[]>> {
    return Steps.optional().describe("The steps if no case holds.");
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
    .describe(`The number of items at a time, 1 to ${WORKFLOW_LIMITS.maximumConcurrency}.`),
  get steps(): z.ZodType<Step[]> {
    return Steps;
  },
});

const ParallelBranch = z
  .strictObject({
    id: stepId.describe("Names the branch; no step and no other branch of the workflow has this id."),
    get steps(): z.ZodType<Step[]> {
      return Steps;
    },
  })
  .meta({ id: "WorkflowBranch", description: "Steps that run beside those of other branches." });

const ParallelStep = z.strictObject({
  ...common,
  type: z
    .literal("parallel")
    .describe(
      "Runs branches at the same time. Output: an object with the output of each branch's last step, by the branch's id. The first failure fails the step; the other branches [end](/docs/compensation) before their next step.",
    ),
  branches: z
    .array(ParallelBranch)
    .min(2, "At least two branches.")
    .max(WORKFLOW_LIMITS.maximumBranches)
    .describe(`The branches, 2 to ${WORKFLOW_LIMITS.maximumBranches}.`),
  concurrency: z
    .int()
    .min(1)
    .max(WORKFLOW_LIMITS.maximumBranches)
    .optional()
    .describe("The number of branches at a time; by default all."),
});

const Catch = z
  .strictObject({
    on: caughtCodes.optional().describe("The error codes that are caught; by default all."),
    get steps(): z.ZodType<Step[]> {
      return Steps;
    },
  })
  .meta({
    id: "WorkflowCatch",
    description:
      "Steps that run if the others have failed. Their expressions read `error`: `{ code, message, step }`.",
  });

const TryStep = z.strictObject({
  ...common,
  type: z
    .literal("try")
    .describe(
      "Runs steps, `catch` if one of them [fails](/docs/compensation), and `finally` in either case. Output: that of the last of `steps`, or of `catch` if it ran. Cancellation and expiry of the run are not caught. `timeoutSeconds` limits `steps` alone.",
    ),
  get steps(): z.ZodType<Step[]> {
    return Steps;
  },
  catch: Catch.optional(),
  get finally(): z.ZodOptional<z.ZodType<Step[]>> {
    return Steps.optional().describe("Steps that run last, whether or not the others have failed.");
  },
});

const WhileStep = z.strictObject({
  ...common,
  type: z
    .literal("while")
    .describe(
      "Repeats steps while `when` holds, with `index` and `last` in their expressions. Output: that of the last step of the last iteration, otherwise null. Fails with `query_limit_exceeded` if `when` still holds after `maxIterations`.",
    ),
  when: value.describe(
    "The condition, evaluated before each iteration: it holds unless the value is false, null, 0 or empty. `last` is the output of the previous iteration; undefined before the first.",
  ),
  maxIterations: z
    .int()
    .min(1)
    .max(WORKFLOW_LIMITS.maximumIterations)
    .describe(`The maximum number of iterations, 1 to ${WORKFLOW_LIMITS.maximumIterations}.`),
  get steps(): z.ZodType<Step[]> {
    return Steps;
  },
});

interface Common {
  id: string;
  retry?: z.output<typeof Retry> | undefined;
  timeoutSeconds?: number | undefined;
}

// Declared twice, since a type cannot be inferred from a schema that contains itself.
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

export interface ParallelStep extends Common {
  type: "parallel";
  branches: { id: string; steps: Step[] }[];
  concurrency?: number | undefined;
}

export interface TryStep extends Common {
  type: "try";
  steps: Step[];
  catch?: { on?: z.output<typeof caughtCodes> | undefined; steps: Step[] } | undefined;
  finally?: Step[] | undefined;
}

export interface WhileStep extends Common {
  type: "while";
  when: unknown;
  maxIterations: number;
  steps: Step[];
}

/** A step with nested steps. */
export type NestingStep = BranchStep | MapStep | ParallelStep | TryStep | WhileStep;

/** A step without nested steps. */
export type SingleStep =
  | z.output<typeof InvokeStep>
  | z.output<typeof OperationStep>
  | z.output<typeof HttpStep>
  | z.output<typeof WaitStep>
  | z.output<typeof AwaitStep>
  | z.output<typeof ApprovalStep>
  | z.output<typeof ArtifactStep>
  | z.output<typeof RunStep>;

/** A step of a workflow. */
export type Step = SingleStep | NestingStep;

const STEP_TYPES = [
  "invoke",
  "operation",
  "http",
  "wait",
  "await",
  "approval",
  "branch",
  "map",
  "parallel",
  "try",
  "while",
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
      ParallelStep,
      TryStep,
      WhileStep,
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
    name: label.describe("The workflow's name, for people."),
    steps: Steps,
    output: value.optional().describe("The `output` of the run; by default the last step's output."),
  })
  .meta({
    id: "Workflow",
    title: "Workflow",
    description:
      "Steps that run durably, one after another. A text `{% … %}` is a JSONata expression over `{ input, steps, item, index, last, error }` and becomes its value; within a longer text it becomes part of the text.",
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
