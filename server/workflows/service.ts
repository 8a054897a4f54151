import type { ServiceDefinition } from "#server/services/service.ts";
import { executeWorkflow } from "./execute-workflow.ts";
import { archiveWorkflow, restoreWorkflow } from "./stored/archive-workflow.ts";
import { getWorkflow } from "./stored/get-workflow.ts";
import { listWorkflows } from "./stored/list-workflows.ts";
import { putWorkflow } from "./stored/put-workflow.ts";
import { startWorkflow } from "./stored/start-workflow.ts";
import { validateWorkflow } from "./validate-workflow.ts";

export const workflowsService = {
  id: "managed-workflows",
  name: "Managed workflows",
  description: "Durable workflows over services and operations.",
  capabilities: [
    validateWorkflow,
    executeWorkflow,
    startWorkflow,
    putWorkflow,
    getWorkflow,
    listWorkflows,
    archiveWorkflow,
    restoreWorkflow,
  ],
} as const satisfies ServiceDefinition;
