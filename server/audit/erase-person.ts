import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { approvalDecisions, approvals } from "#db/schema/approvals.ts";
import { workflowVersions } from "#db/schema/workflows.ts";
import { uuidOf } from "#server/base/ids.ts";

/** The person to erase: one of the customer's end users by their external id, or a member or a key by its id. */
export type Person = { endUser: string } | { member: string } | { key: string };

/**
 * Erases a person from an account's audit: an end user's external id; a member's or a key's label, the addresses and
 * user agents of their requests, and their words on approvals. The events stay, and their chain verifies. False: the
 * account has no such person.
 */
export async function erasePerson(db: Db, accountId: string, person: Person): Promise<boolean> {
  const account = uuidOf("account", accountId);
  if ("endUser" in person) {
    const [found] = await db
      .select({ id: endUsers.id })
      .from(endUsers)
      .where(and(eq(endUsers.accountId, accountId), eq(endUsers.externalId, person.endUser)));
    if (!found) return false;
    await db.execute(sql`select erase_end_user(${account}, ${uuidOf("endUser", found.id)})`);
    return true;
  }
  const actor = "member" in person ? uuidOf("member", person.member) : uuidOf("apiKey", person.key);
  if (!actor) return false;
  const [row] = await db.execute<{ erased: boolean }>(
    sql`select erase_actor(${account}, ${actor}) as erased`,
  );
  await eraseFromApprovals(db, accountId, actor);
  await db
    .update(workflowVersions)
    .set({ actorLabel: "Erased" })
    .where(and(eq(workflowVersions.accountId, accountId), eq(workflowVersions.actorId, actor)));
  return row?.erased ?? false;
}

/** Approvals keep the ids of requesters and deciders, but not their names and words. */
async function eraseFromApprovals(db: Db, accountId: string, actorId: string): Promise<void> {
  const erased = { actorLabel: "Erased", reason: null };
  for (const table of [approvals, approvalDecisions])
    await db
      .update(table)
      .set(erased)
      .where(and(eq(table.accountId, accountId), eq(table.actorId, actorId)));
}
