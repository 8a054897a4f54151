import { z } from "zod";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { awaitsPlatform } from "./awaited.ts";
import { findFaults } from "./check-workflow.ts";
import { compareSteps } from "./compare-steps.ts";
import { runWorkflow } from "./run-workflow.ts";
import { Workflow } from "./schema.ts";
import { withOccasion } from "./with-occasion.ts";

export const executeWorkflow = capability({
  id: "execute",
  title: "Execute a workflow",
  description:
    "Runs a workflow durably: each step passes the key's own access decision when it runs, and a finished step never runs twice. An invalid workflow is refused before any run exists. Steps are charged as direct calls are.",
  input: z.strictObject({
    workflow: Workflow,
    input: z.unknown().optional().describe("The value that expressions read as `input`."),
  }),
  output: z.object({
    output: z.unknown().describe("The workflow's `output`, else the last step's output."),
  }),
  modes: ["run"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  price: priceOf("managed-workflows", "execute"),

  async check({ workflow }, { isStored }) {
    const faults = await findFaults(workflow, isStored);
    return faults.map(({ path, message }) => ({
      path: path === "" ? "workflow" : `workflow.${path}`,
      message,
    }));
  },

  compare: (before, now, fromStep) =>
    compareSteps(before.workflow, now.workflow, fromStep).map(({ path, message }) => ({
      path: `workflow.${path}`,
      message,
    })),

  triggered: withOccasion,
  ownExpressions: ["workflow"],

  keepsEvents: async ({ workflow }) => awaitsPlatform(workflow.steps),

  nameOf: ({ workflow }) => workflow.name,

  run: (run) => runWorkflow(run),
});
