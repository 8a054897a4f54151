import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { workflows } from "#db/schema/workflows.ts";
import type { Caller } from "#server/operation/caller.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { isInReach, outOfReach } from "#server/operation/reach.ts";
import { ownSpace } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { findVersion, noSuchWorkflow, ownWorkflows, toStoredWorkflow, type WorkflowRow } from "../queries.ts";
import { newestOf, toOwned } from "./author.ts";
import { refuseTooMany } from "./put-workflow.ts";
import { StoredWorkflow, WorkflowReference } from "./schema.ts";

const shared = {
  input: WorkflowReference,
  output: z.object({ workflow: StoredWorkflow }),
  modes: ["invoke", "run"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
} as const;

export const archiveWorkflow = capability({
  ...shared,
  id: "archive",
  title: "Archive a stored workflow",
  description:
    "It stays readable, and the runs that there are go on; it is neither started nor put until it is restored. Archiving it again changes nothing. For the key that put the newest version, keys above that one, and members.",
  price: priceOf("managed-workflows", "archive"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    const workflow = await lockWorkflow(tx, caller, name);
    if (!workflow.archivedAt) await setArchived(tx, workflow, true);
    return answer(tx, caller, name);
  },
});

export const restoreWorkflow = capability({
  ...shared,
  id: "restore",
  title: "Restore a stored workflow",
  description:
    "Lets an archived workflow be started and put again. Restoring one that is active changes nothing. For the key that put the newest version, keys above that one, and members.",
  price: priceOf("managed-workflows", "restore"),
  nameOf: ({ name }) => name,

  async handler({ input: { name }, caller, tx }) {
    // A restored workflow counts like a new one.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${ownSpace(caller)}, 0))`);
    const workflow = await lockWorkflow(tx, caller, name);
    if (workflow.archivedAt) {
      await refuseTooMany(tx, workflow);
      await setArchived(tx, workflow, false);
    }
    return answer(tx, caller, name);
  },
});

/**
 * Locks the workflow until the transaction ends, so that nobody else changes or starts it. Refuses a missing one, and
 * one that the caller may not change.
 */
async function lockWorkflow(tx: Transaction, caller: Caller, name: string): Promise<WorkflowRow> {
  const [row] = await tx
    .select()
    .from(workflows)
    .where(and(ownWorkflows(caller), eq(workflows.name, name)))
    .for("no key update");
  if (!row) throw noSuchWorkflow(name);
  const owned = toOwned(name, await newestOf(tx, row));
  if (!(await isInReach(tx, caller, owned))) throw outOfReach(owned);
  return row;
}

async function setArchived(tx: Transaction, { accountId, id }: WorkflowRow, archived: boolean) {
  await tx
    .update(workflows)
    .set({ archivedAt: archived ? sql`clock_timestamp()` : null })
    .where(and(eq(workflows.accountId, accountId), eq(workflows.id, id)));
  publishChange(tx, accountId, "workflows");
}

async function answer(tx: Transaction, caller: Caller, name: string) {
  const { workflow, version } = await findVersion(tx, ownWorkflows(caller), { name });
  return { workflow: toStoredWorkflow(workflow, version, caller.endUser?.externalId ?? null) };
}
