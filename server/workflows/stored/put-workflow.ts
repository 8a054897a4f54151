import { createHash } from "node:crypto";
import { and, count, eq, getTableColumns, isNull, lte, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, newId, newUuidAt, toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { isInReach, nameTaken } from "#server/operation/reach.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import { type Assignment, assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { quotaExceeded, takenBytes } from "#server/storage/queries.ts";
import { findFaults } from "../check-workflow.ts";
import { faultOfSchema } from "../judge-schema.ts";
import { STORED_LIMITS } from "../limits.ts";
import { archived, toStoredWorkflow, type VersionRow, versionsOf, type WorkflowRow } from "../queries.ts";
import { newestOf, refuseLesserRole, toOwned } from "./author.ts";
import { PutWorkflow, StoredWorkflow } from "./schema.ts";

export const putWorkflow = capability({
  id: "put",
  title: "Store a workflow",
  description:
    "Stores a workflow under a name, as its next version; if it equals the newest version and the caller has put that one, returns it. Only the key that put the newest version, keys above that one and members can put the next; other keys are refused, and so is a member whose role lacks a scope of the newest version's author. Versions never change: a run keeps the version that was the newest, or that it named, when it was created.",
  input: PutWorkflow,
  output: z.object({ workflow: StoredWorkflow }),
  modes: ["invoke", "run"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-workflows", "put"),

  async check({ workflow, inputSchema }, { accountId }) {
    const bytes = new TextEncoder().encode(JSON.stringify([workflow, inputSchema])).length;
    if (bytes > STORED_LIMITS.maximumStoredBytes)
      return [
        {
          path: "workflow",
          message: `Workflow and inputSchema have ${bytes} bytes; at most ${STORED_LIMITS.maximumStoredBytes}.`,
        },
      ];
    const issues = (await findFaults(workflow)).map(({ path, message }) => ({
      path: path === "" ? "workflow" : `workflow.${path}`,
      message,
    }));
    const fault = inputSchema && (await faultOfSchema(accountId, inputSchema));
    if (fault) issues.push({ path: "inputSchema", message: `It is no JSON Schema (2020-12): ${fault}` });
    return issues;
  },

  nameOf: ({ name }) => name,

  async handler({ input, caller, tx }) {
    const { name, ifVersion } = input;
    const assignment = await assignmentOf(tx, caller);
    const workflow = await lockWorkflow(tx, assignment, name);
    const newest = workflow && (await newestOf(tx, workflow));
    const owned = newest && toOwned(name, newest);
    if (owned && !(await isInReach(tx, caller, owned))) throw nameTaken(owned);
    if (owned) await refuseLesserRole(tx, caller, owned);
    if (workflow?.archivedAt) throw archived(name);
    const current = newest?.version ?? 0;
    if (ifVersion !== undefined && ifVersion !== current)
      throw new ApiError(
        "state_conflict",
        current === 0
          ? `No workflow is stored under the name ${JSON.stringify(name)}, not even version ${ifVersion}.`
          : `The newest version of ${JSON.stringify(name)} is ${current}, not ${ifVersion}.`,
      );
    const endUser = caller.endUser?.externalId ?? null;
    const digest = digestOf(input);
    // A caller who stores the content of another author becomes its author, who alone can change it from then on.
    if (workflow && newest?.digest === digest && newest.actorId === callerUuid(caller))
      return { workflow: toStoredWorkflow(workflow, newest, endUser) };
    const stored = workflow ? await raiseVersion(tx, workflow) : await insertWorkflow(tx, assignment, name);
    // First, since these free storage.
    await dropOldVersions(tx, stored);
    const version = await insertVersion(tx, { stored, newest, digest, input, caller });
    publishChange(tx, stored.accountId, "workflows");
    return { workflow: toStoredWorkflow(stored, version, endUser) };
  },
});

/** Locks the workflow of this name until the transaction ends; if there is none, locks its creation. */
async function lockWorkflow(
  tx: Transaction,
  assignment: Assignment,
  name: string,
): Promise<WorkflowRow | undefined> {
  const { accountId } = assignment;
  const space = spaceOf(assignment);
  const find = () =>
    tx
      .select()
      .from(workflows)
      .where(and(eq(workflows.accountId, accountId), eq(workflows.space, space), eq(workflows.name, name)))
      .for("no key update");
  const [found] = await find();
  if (found) return found;
  // New names are counted, so they are created one after another.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${space}, 0))`);
  const [meanwhile] = await find();
  return meanwhile;
}

function digestOf({ workflow, inputSchema, description }: PutWorkflow): string {
  const content = { workflow, inputSchema: inputSchema ?? null, description: description ?? null };
  return createHash("sha256").update(canonicalJson(content)).digest("hex");
}

/** Refuses a further workflow in a space that has the maximum number. */
export async function refuseTooMany(
  tx: Transaction,
  { accountId, space }: Pick<WorkflowRow, "accountId" | "space">,
): Promise<void> {
  const most = STORED_LIMITS.maximumStoredWorkflows;
  const [row] = await tx
    .select({ stored: count() })
    .from(workflows)
    .where(and(eq(workflows.accountId, accountId), eq(workflows.space, space), isNull(workflows.archivedAt)));
  if (defined(row).stored >= most)
    throw new ApiError(
      "quota_exceeded",
      `${most} workflows are stored here, the most that a project may have. Archive one that is not needed any more.`,
    );
}

async function insertWorkflow(tx: Transaction, assignment: Assignment, name: string): Promise<WorkflowRow> {
  const space = spaceOf(assignment);
  await refuseTooMany(tx, { ...assignment, space });
  const [row] = await tx
    .insert(workflows)
    .values({ ...assignment, id: newId("workflow"), space, name, version: 1 })
    .returning();
  return defined(row);
}

async function raiseVersion(tx: Transaction, { accountId, id, version }: WorkflowRow): Promise<WorkflowRow> {
  const [row] = await tx
    .update(workflows)
    .set({ version: version + 1 })
    .where(and(eq(workflows.accountId, accountId), eq(workflows.id, id)))
    .returning();
  return defined(row);
}

async function insertVersion(
  tx: Transaction,
  {
    stored,
    newest,
    digest,
    input: { workflow, inputSchema, description },
    caller,
  }: {
    stored: WorkflowRow;
    newest: VersionRow | undefined;
    digest: string;
    input: PutWorkflow;
    caller: Caller;
  },
): Promise<VersionRow> {
  // Ids must be in the order of versions, even if another process's clock is behind.
  const at = new Date(Math.max(currentMs(), (newest?.createdAt.getTime() ?? 0) + 1));
  const [row] = await tx
    .insert(workflowVersions)
    .values({
      accountId: stored.accountId,
      id: idOf("workflowVersion", newUuidAt(at)),
      workflowId: stored.id,
      version: stored.version,
      digest,
      definition: JSON.stringify(workflow),
      inputSchema: inputSchema ? JSON.stringify(inputSchema) : null,
      description: description ?? null,
      actorType: caller.type,
      actorId: callerUuid(caller),
      actorLabel: caller.label,
    })
    .returning({
      ...getTableColumns(workflowVersions),
      ...takenBytes(stored.accountId, "workflows", sql`version_bytes(new)`),
      bytes: sql<number>`version_bytes(new)::int`,
    });
  const { usedBytes, bytes, ...version } = defined(row);
  if (usedBytes !== null) throw quotaExceeded("workflows", Number(usedBytes), bytes);
  return version;
}

/** A start locks the workflow while it creates its run, so none begins with a version that is deleted here. */
async function dropOldVersions(tx: Transaction, workflow: WorkflowRow): Promise<void> {
  const oldest = workflow.version - STORED_LIMITS.keptVersions;
  if (oldest < 1) return;
  await tx
    .delete(workflowVersions)
    .where(
      and(
        versionsOf(workflow),
        lte(workflowVersions.version, oldest),
        sql`not exists (select from runs r
        where r.account_id = ${toUuid("account", workflow.accountId)} and r.workflow_id = ${toUuid("workflow", workflow.id)}
          and r.workflow_version = workflow_versions.version and r.finished_at is null)`,
        sql`not exists (select from triggers t
        where t.account_id = ${toUuid("account", workflow.accountId)} and t.workflow_id = ${toUuid("workflow", workflow.id)}
          and t.workflow_version = workflow_versions.version)`,
      ),
    )
    .returning(takenBytes(workflow.accountId, "workflows", sql`-version_bytes(old)`));
}
