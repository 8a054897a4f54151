import { and, eq, exists, isNull, not, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { members, sessions } from "#db/schema/accounts.ts";
import { revokeKeysOfMember } from "#server/keys/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { typeId } from "#server/operation/fields.ts";
import { revokeInvitationsOf } from "./invitation-rows.ts";
import { findMember, lockMembership, refuseLastOwner } from "./queries.ts";
import { Member } from "./schema.ts";

/** The response fields for a membership that has ended. */
export const endedMembership = {
  member: Member.describe("The member before the membership ended."),
  revokedKeyIds: typeId("apiKey").array().describe("Ids of the revoked keys, descendants included."),
};

/** Ends a membership, revokes the keys that the member created, and revokes the invitations that they sent. */
export async function endMembership(
  tx: Transaction,
  memberId: string,
  request: { caller: Caller; at: Date },
): Promise<{ member: z.input<typeof Member>; revokedKeyIds: string[] }> {
  const { accountId } = request.caller;
  const { owners, target } = await lockMembership(tx, request.caller, memberId);
  refuseLastOwner(owners, target);
  const member = await findMember(tx, accountId, target.id);
  const revokedKeyIds = await revokeKeysOfMember(tx, { member: { accountId, id: target.id }, request });
  await revokeInvitationsOf(tx, { accountId, id: target.id });
  await tx.delete(members).where(and(eq(members.accountId, accountId), eq(members.id, target.id)));
  await signOutForGood(tx, target.userId);
  return { member, revokedKeyIds };
}

/** Ends all sessions of a person without any account; a person with other accounts stays signed in there. */
async function signOutForGood(tx: Transaction, userId: string): Promise<void> {
  const others = tx.select({ id: members.id }).from(members).where(eq(members.userId, userId));
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), not(exists(others))));
}
