import { and, eq, getTableColumns } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { toStoredWorkflow, type VersionRow, type WorkflowRow } from "../queries.ts";
import type { StoredWorkflow } from "./schema.ts";

const { definition: _, inputSchema: __, ...columns } = getTableColumns(workflowVersions);

/** Without what a version consists of. */
export const versionColumns = columns;

interface Row {
  workflow: WorkflowRow;
  version: Omit<VersionRow, "definition" | "inputSchema">;
}

/** The wire's form of rows, with the end users that they belong to. */
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

/** The workflow of this id that the caller sees; refuses where there is none. */
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
