import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { findVersion, ownWorkflows, toStoredWorkflow } from "../queries.ts";
import type { Workflow } from "../schema.ts";
import { GetWorkflow, WorkflowContent } from "./schema.ts";

export const getWorkflow = capability({
  id: "get",
  title: "Get a stored workflow",
  description: "Reads a version of a stored workflow, by default the newest.",
  input: GetWorkflow,
  output: WorkflowContent,
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-workflows", "get"),

  async read({ input, caller, db }) {
    const { workflow, version } = await findVersion(db, ownWorkflows(caller), input);
    const { definition, inputSchema } = version;
    return {
      workflow: toStoredWorkflow(workflow, version, caller.endUser?.externalId ?? null),
      definition: parseKeepingDigits<Workflow>(definition),
      inputSchema: inputSchema === null ? null : JSON.parse(inputSchema),
    };
  },
});
