import { and, desc, eq, type SQL } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import { idOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { assignedAs, ownSpace } from "#server/operation/tenancy.ts";
import type { Workflow } from "./schema.ts";
import type { StoredWorkflow } from "./stored/schema.ts";

export type WorkflowRow = typeof workflows.$inferSelect;
export type VersionRow = typeof workflowVersions.$inferSelect;

/** The version that a run executes, fixed at its creation. */
export interface PinnedVersion {
  /** The workflow's id. */
  id: string;
  name: string;
  version: number;
}

/** Returns the condition for workflows of exactly the caller's account, project and end user. */
export function ownWorkflows(caller: Caller): SQL {
  return allOf(assignedAs(workflows, caller), eq(workflows.space, ownSpace(caller)));
}

/** Returns the condition for the versions of a workflow. */
export function versionsOf({ accountId, id }: Pick<WorkflowRow, "accountId" | "id">): SQL {
  return allOf(eq(workflowVersions.accountId, accountId), eq(workflowVersions.workflowId, id));
}

/** Returns a version of the workflow that the condition selects, by default the newest; refuses a missing one. */
export async function findVersion(
  db: Db | Transaction,
  among: SQL,
  { name, version }: { name: string; version?: number | undefined },
): Promise<{ workflow: WorkflowRow; version: VersionRow }> {
  const [workflow] = await db
    .select()
    .from(workflows)
    .where(and(among, eq(workflows.name, name)));
  if (!workflow) throw noSuchWorkflow(name);
  const [found] = await db
    .select()
    .from(workflowVersions)
    .where(
      and(versionsOf(workflow), version === undefined ? undefined : eq(workflowVersions.version, version)),
    )
    .orderBy(desc(workflowVersions.version))
    .limit(1);
  if (found) return { workflow, version: found };
  const newest = `the newest is ${workflow.version}`;
  throw new ApiError(
    "not_found",
    `No version ${version} of the workflow ${JSON.stringify(name)} is kept; ${newest}.`,
  );
}

export function noSuchWorkflow(name: string): ApiError {
  return new ApiError("not_found", `No workflow is stored under the name ${JSON.stringify(name)}.`);
}

/** Returns the error for using an archived workflow. */
export function archived(name: string): ApiError {
  const shown = JSON.stringify(name);
  return new ApiError(
    "state_conflict",
    `The workflow ${shown} is archived. Restore it, or use another name.`,
  );
}

/**
 * Locks a version for a run that this transaction creates: until it ends the workflow is not archived and the version
 * not deleted; afterwards the run keeps it.
 */
export async function holdVersion(
  tx: Transaction,
  accountId: string,
  { id, name, version }: PinnedVersion,
): Promise<void> {
  const [workflow] = await tx
    .select({ archivedAt: workflows.archivedAt })
    .from(workflows)
    .where(and(eq(workflows.accountId, accountId), eq(workflows.id, id)))
    .for("share");
  if (!workflow || workflow.archivedAt) throw archived(name);
  const [kept] = await tx
    .select({ version: workflowVersions.version })
    .from(workflowVersions)
    .where(and(versionsOf({ accountId, id }), eq(workflowVersions.version, version)));
  if (!kept) throw notKept({ name, version });
}

function notKept({ name, version }: Pick<PinnedVersion, "name" | "version">): ApiError {
  return new ApiError(
    "state_conflict",
    `Version ${version} of the workflow ${JSON.stringify(name)} is not kept any more. Start a newer one.`,
  );
}

/** Returns the definition of a version; throws if it is missing, since live runs keep theirs. */
export async function definitionOf(
  db: Db,
  accountId: string,
  { id, name, version }: PinnedVersion,
): Promise<Workflow> {
  const [row] = await db
    .select({ definition: workflowVersions.definition })
    .from(workflowVersions)
    .where(and(versionsOf({ accountId, id }), eq(workflowVersions.version, version)));
  if (!row) throw notKept({ name, version });
  return parseKeepingDigits<Workflow>(row.definition);
}

/** Returns a version in its public form. */
export function toStoredWorkflow(
  workflow: WorkflowRow,
  version: Omit<VersionRow, "definition" | "inputSchema">,
  endUser: string | null,
): StoredWorkflow {
  const { actorType, actorId, actorLabel } = version;
  return {
    id: workflow.id,
    name: workflow.name,
    version: version.version,
    digest: version.digest,
    description: version.description,
    status: workflow.archivedAt ? "archived" : "active",
    archivedAt: workflow.archivedAt?.toISOString() ?? null,
    projectId: workflow.projectId,
    endUser,
    createdAt: version.createdAt.toISOString(),
    createdBy: {
      type: actorType,
      id: actorId && idOf(actorType === "key" ? "apiKey" : "member", actorId),
      label: actorLabel,
    },
  };
}
