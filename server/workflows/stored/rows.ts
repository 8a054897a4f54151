import { and, eq, getTableColumns } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { toStoredWorkflow, type VersionRow, type WorkflowRow } from "../queries.ts";
import type { StoredWorkflow } from "./schema.ts";

const { definition: _, inputSchema: __, ...columns } = getTableColumns(workflowVersions);

/** A version without its content. */
export const versionColumns = columns;

interface Row {
  workflow: WorkflowRow;
  version: Omit<VersionRow, "definition" | "inputSchema">;
}

/** Returns rows in their public form, with their end users. */
export async function toStoredWorkflows(
  db: Db | Transaction,
  rows: readonly Row[],
): Promise<StoredWorkflow[]> {
  const names = new Map<string, string | null>();
  for (const { accountId, endUserId } of rows.map(({ workflow }) => workflow))
    if (endUserId !== null && !names.has(endUserId))
      names.set(endUserId, await endUserNamed(db, accountId, endUserId));
  return rows.map(({ workflow, version }) =>
    toStoredWorkflow(workflow, version, names.get(workflow.endUserId ?? "") ?? null),
  );
}

/** Returns the workflow with this id, if the caller sees it; refuses otherwise. */
export async function findWorkflow(
  db: Db | Transaction,
  caller: Caller,
  workflowId: string,
): Promise<WorkflowRow> {
  const [workflow] = await db
    .select()
    .from(workflows)
    .where(and(visible(workflows, caller), eq(workflows.id, workflowId)));
  if (!workflow) throw notFound("workflow", workflowId);
  return workflow;
}
