import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import { nextCursor, pageOf } from "#server/operation/page.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { ownWorkflows, toStoredWorkflow } from "../queries.ts";
import { versionColumns } from "./rows.ts";
import { ListWorkflows, StoredWorkflow } from "./schema.ts";

export const listWorkflows = capability({
  id: "list",
  title: "List stored workflows",
  description:
    "Each workflow with its newest version, newest first; with a name the versions of that one. Nothing where no workflow has that name.",
  input: ListWorkflows,
  output: z.object({ workflows: z.array(StoredWorkflow), nextCursor }),
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-workflows", "list"),

  async read({ input, caller, db }) {
    const { name, status } = input;
    const versions = name !== undefined;
    const id = versions ? workflowVersions.id : workflows.id;
    const page = pageOf(versions ? "workflowVersion" : "workflow", id, input, { field: "body.input.cursor" });
    const statusIs = { active: isNull(workflows.archivedAt), archived: isNotNull(workflows.archivedAt) };
    const found = await db
      .select({ id, workflow: workflows, version: versionColumns })
      .from(workflows)
      .innerJoin(
        workflowVersions,
        and(
          eq(workflowVersions.accountId, workflows.accountId),
          eq(workflowVersions.workflowId, workflows.id),
          versions ? undefined : eq(workflowVersions.version, workflows.version),
        ),
      )
      .where(
        page.where(
          allOf(
            ownWorkflows(caller),
            name === undefined ? undefined : eq(workflows.name, name),
            status && statusIs[status],
          ),
        ),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const endUser = caller.endUser?.externalId ?? null;
    return {
      workflows: rows.map(({ workflow, version }) => toStoredWorkflow(workflow, version, endUser)),
      nextCursor,
    };
  },
});
