import type { ServiceDefinition } from "#server/services/service.ts";
import { executeWorkflow } from "./execute-workflow.ts";
import { validateWorkflow } from "./validate-workflow.ts";

export const workflowsService: ServiceDefinition = {
  id: "managed-workflows",
  name: "Managed workflows",
  description: "Durable workflows over services and operations.",
  capabilities: [validateWorkflow, executeWorkflow],
};
