import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { runSteps } from "#db/schema/runs.ts";
import { operation } from "#server/operation/operation.ts";
import { fromStored } from "#server/operation/payload.ts";
import { findRun, forgotten } from "./queries.ts";
import { RunParams, RunStep } from "./schema.ts";

export const readStep = operation({
  id: "runs.steps.read",
  method: "GET",
  path: "/runs/{runId}/steps",
  surfaces: ["console"],
  summary: "Read a step of a run",
  description:
    "The step's answer, or a decision that the run has noted under this name. The run's service must be inside the key's boundary.",
  scope: "runs:read",
  params: RunParams,
  query: z.object({ name: z.string().max(500).describe("The step's name, as the timeline has it.") }),
  output: z.object({ step: RunStep.nullable().describe("Null while it is not done.") }),
  errors: ["not_found", "service_not_allowed", "state_conflict"],

  async handler({ params, query: { name }, caller, db }) {
    const run = await findRun(db, caller, params.runId);
    const [step] = await db
      .select({ output: runSteps.output })
      .from(runSteps)
      .where(
        and(
          eq(runSteps.accountId, run.accountId),
          eq(runSteps.runId, run.id),
          eq(runSteps.name, name),
          inArray(runSteps.state, ["done", "noted"]),
        ),
      );
    // The worker may not have begun the step yet.
    if (run.forgottenAt) throw forgotten(run);
    return { step: step ? { name, output: fromStored(run, name, step.output) } : null };
  },
});
