import { z } from "zod";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { checkWorkflow } from "./check-workflow.ts";
import { WORKFLOW_SCHEMA_PATH } from "./schema.ts";

export const validateWorkflow = capability({
  id: "validate",
  title: "Validate a workflow",
  description: `Names everything that is wrong with a workflow, without executing it. Its form is published as JSON Schema at ${WORKFLOW_SCHEMA_PATH}.`,
  input: z.strictObject({ workflow: z.unknown().describe("The workflow, in whatever state it is.") }),
  output: z.object({
    valid: z.boolean().describe("Whether it can be executed."),
    issues: z
      .array(
        z.object({
          path: z.string().describe("Where the fault is within the workflow, e.g. `steps.0.input.name`."),
          message: z.string().describe("What is wrong."),
        }),
      )
      .describe("Every fault."),
  }),
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-workflows", "validate"),

  async read({ input: { workflow } }) {
    const issues = await checkWorkflow(workflow);
    return { valid: issues.length === 0, issues };
  },
});
