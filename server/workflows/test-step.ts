import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { runSteps } from "#db/schema/runs.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { fromStored } from "#server/operation/payload.ts";
import { findRun, forgotten, type RunRow } from "#server/runs/queries.ts";
import { RunParams } from "#server/runs/schema.ts";
import { checkWorkflow } from "./check-workflow.ts";
import type { WorkflowInput } from "./frame.ts";
import { stepIdIn, stepsWithin } from "./nested-steps.ts";
import { definitionOf } from "./queries.ts";
import { type EarlierRun, reachStep } from "./reach-step.ts";
import type { Workflow } from "./schema.ts";

const TestedStep = z
  .object({
    step: z.string().meta({ description: "The step's path.", examples: ["steps.each[3].send"] }),
    type: z.string().meta({ description: "The step's type.", examples: ["http"] }),
    fields: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Its fields with values in the place of expressions; null where an expression failed."),
    decision: z
      .unknown()
      .describe(
        "The decision of a step that holds others, e.g. `{ case: 0 }` or `{ items: 3 }`; null for others.",
      ),
    issues: z
      .array(
        z.object({
          path: z.string().meta({
            description: "Where the expression stands.",
            examples: ["steps.greet.input.name"],
          }),
          message: z.string().meta({
            description: "The error it failed with.",
            examples: ["Attempted to invoke a non-function"],
          }),
        }),
      )
      .describe("The expression that failed, where one did."),
  })
  .meta({ id: "TestedStep", description: "A step as a run would do it." });

export const testStep = operation({
  id: "runs.steps.test",
  method: "POST",
  path: "/runs/{runId}/steps/test",
  summary: "Check a step on an earlier run",
  description:
    "Evaluates the expressions of a workflow's step with the input of an earlier run and with its steps' answers, and does nothing else: nothing is called, sent or charged. The run's service must be inside the key's boundary.",
  scope: "runs:read",
  params: RunParams,
  body: z.object({
    step: z
      .string()
      .max(500)
      .meta({
        description:
          "The step's id, or its path as the timeline has it: the id of a step that runs several times means the first time.",
        examples: ["greet"],
      }),
    workflow: z
      .unknown()
      .optional()
      .describe("The workflow as it is to be tested; by default the run's own."),
  }),
  output: z.object({ test: TestedStep }),
  errors: [
    "not_found",
    "service_not_allowed",
    "state_conflict",
    "query_limit_exceeded",
    "service_unavailable",
  ],
  examples: { body: { step: "greet" } },

  async handler({ params, body, caller, db }) {
    const run = await findRun(db, caller, params.runId);
    const issues = body.workflow === undefined ? [] : await checkWorkflow(body.workflow);
    if (issues.length > 0)
      throw invalidRequest(
        issues.map(({ path, message }) => ({
          path: path === "" ? "body.workflow" : `body.workflow.${path}`,
          message,
        })),
      );
    const input = await inputOf(db, run, body.workflow as Workflow | undefined);
    const id = stepIdIn(body.step) ?? body.step;
    const step = stepsWithin(input.workflow.steps).find((one) => one.id === id);
    if (!step) throw noSuchStep(id, body.workflow ? null : run);
    const earlier = { id: run.id, input, caller, answerOf: await readAnswers(db, run) };
    const path = body.step === id ? null : body.step;
    const { path: reached, ...found } = await reachStep(earlier, { step, path });
    return { test: { step: reached, type: step.type, ...found } };
  },
});

function noSuchStep(id: string, run: RunRow | null): ApiError {
  const name = JSON.stringify(id);
  if (!run) return invalid("body.step", `The workflow has no step ${name}.`);
  return new ApiError("state_conflict", `The workflow of run ${run.id} has no step ${name}.`);
}

/** The input of the earlier run, with the given workflow if there is one. */
async function inputOf(db: Db, run: RunRow, workflow: Workflow | undefined): Promise<WorkflowInput> {
  if (run.serviceId !== "managed-workflows" || !["execute", "start"].includes(run.operationId))
    throw new ApiError(
      "state_conflict",
      `Run ${run.id} is of ${run.serviceId} ${run.operationId}, which runs no workflow.`,
    );
  if (!run.input) throw forgotten(run);
  const kept = fromStored<WorkflowInput>(run, "input", run.input);
  const { accountId, workflowId: id, workflowName: name, workflowVersion: version } = run;
  const own =
    id && name && version ? await definitionOf(db, accountId, { id, name, version }) : kept.workflow;
  return { workflow: workflow ?? own, input: kept.input };
}

/** Reads the outputs of a run's steps, by their journal names. */
async function readAnswers(db: Db, run: RunRow): Promise<EarlierRun["answerOf"]> {
  const rows = await db
    .select({ name: runSteps.name, output: runSteps.output })
    .from(runSteps)
    .where(
      and(
        eq(runSteps.accountId, run.accountId),
        eq(runSteps.runId, run.id),
        inArray(runSteps.state, ["done", "noted"]),
      ),
    );
  const stored = new Map(rows.map(({ name, output }) => [name, output]));
  return (name) => {
    const output = stored.get(name);
    return output === undefined ? null : { output: fromStored(run, name, output) };
  };
}
