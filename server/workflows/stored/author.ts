import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { members } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { workflowVersions } from "#db/schema/workflows.ts";
import { defined } from "#server/base/defined.ts";
import { idOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { type Owned, ownerKeyId } from "#server/operation/reach.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { type VersionRow, versionsOf, type WorkflowRow } from "../queries.ts";

/** Returns the newest version of a workflow, which is always kept. */
export async function newestOf(tx: Transaction, workflow: WorkflowRow): Promise<VersionRow> {
  const [row] = await tx
    .select()
    .from(workflowVersions)
    .where(and(versionsOf(workflow), eq(workflowVersions.version, workflow.version)));
  return defined(row);
}

/** Returns a workflow with the author of its newest version, who decides which keys may change it. */
export function toOwned(name: string, { accountId, actorType, actorId }: VersionRow): Owned {
  return { kind: "workflow", accountId, name, callerType: actorType, callerId: actorId };
}

/**
 * Refuses a member whose role lacks a scope of the author: the author's triggers and runs, which start the newest
 * version, would do with that scope what the member stores.
 */
export async function refuseLesserRole(tx: Transaction, caller: Caller, owned: Owned): Promise<void> {
  if (caller.type !== "member") return;
  const lacking = (await scopesOfAuthor(tx, owned)).filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length === 0) return;
  const keyId = ownerKeyId(owned);
  const author = keyId === null ? "a member with a wider role" : `key ${keyId}`;
  throw new ApiError(
    "scope_missing",
    `The workflow ${JSON.stringify(owned.name)} was put by ${author}, whose runs would do what you store with ${lacking.join(", ")}, which your role lacks. Have an owner or admin put it, or send another name.`,
    { check: "scope" },
  );
}

/** Returns the scopes of the key or member; none for a member who has left, on whose behalf nothing runs any more. */
async function scopesOfAuthor(tx: Transaction, owned: Owned): Promise<readonly Scope[]> {
  const { accountId, callerId } = owned;
  const keyId = ownerKeyId(owned);
  if (keyId !== null) {
    const [key] = await tx
      .select({ scopes: apiKeys.scopes })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, keyId)));
    return defined(key).scopes;
  }
  if (callerId === null) return [];
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.id, idOf("member", callerId))));
  return member ? ROLE_SCOPES[member.role] : [];
}
