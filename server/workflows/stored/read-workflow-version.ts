import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { workflowVersions } from "#db/schema/workflows.ts";
import { notFound } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { operation } from "#server/operation/operation.ts";
import { versionsOf } from "../queries.ts";
import type { Workflow } from "../schema.ts";
import { findWorkflow, toStoredWorkflows } from "./rows.ts";
import { type StoredWorkflow, WorkflowContent, WorkflowParams } from "./schema.ts";

export const readWorkflowVersion = operation({
  id: "workflows.versions.read",
  method: "GET",
  path: "/workflows/{workflowId}/versions/{version}",
  surfaces: ["console"],
  summary: "Read a version of a stored workflow",
  description: "The version's steps and schema.",
  scope: "runs:read",
  service: "managed-workflows",
  params: WorkflowParams.extend({
    version: z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .describe("The version's number."),
  }),
  output: WorkflowContent,
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const workflow = await findWorkflow(db, caller, params.workflowId);
    const [version] = await db
      .select()
      .from(workflowVersions)
      .where(and(versionsOf(workflow), eq(workflowVersions.version, Number(params.version))));
    if (!version) throw notFound("workflowVersion", params.version);
    const [stored] = await toStoredWorkflows(db, [{ workflow, version }]);
    return {
      workflow: stored as StoredWorkflow,
      definition: parseKeepingDigits<Workflow>(version.definition),
      inputSchema: version.inputSchema === null ? null : JSON.parse(version.inputSchema),
    };
  },
});
