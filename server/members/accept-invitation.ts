import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { accounts, invitations, members, users } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { selectInvitations, WITH_STATUS } from "./invitation-rows.ts";
import { tokenHash } from "./link-token.ts";
import { type Origin, recordAct } from "./record-act.ts";

/** Returns an invitation as its page shows it to the holder of its token; null once it is no longer valid. */
export async function openInvitation(token: string) {
  const { db } = platform().database;
  const mine = and(eq(invitations.tokenHash, tokenHash(token)), WITH_STATUS.pending);
  const [invitation] = await selectInvitations(db).where(mine);
  const [account] = await db
    .select({ name: accounts.name, known: users.id })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .leftJoin(users, eq(sql`lower(${users.email})`, invitations.email))
    .where(mine);
  if (!invitation || !account) return null;
  const { email, role, invitedBy, expiresAt } = invitation;
  return {
    email,
    role,
    invitedBy,
    accountName: account.name,
    expiresAt: expiresAt.toISOString(),
    /** True if somebody has already signed up with this address. */
    known: account.known !== null,
  };
}

/**
 * Makes the person a member. A conditional update of the invitation's row decides, so that it can be accepted only
 * once, and only by the owner of its e-mail address.
 */
export async function acceptInvitation(
  tx: Transaction,
  { token, user }: { token: string; user: { id: string; email: string; name: string } },
  origin: Origin,
): Promise<{ accountId: string; memberId: string }> {
  const [invitation] = await tx
    .update(invitations)
    .set({ acceptedAt: sql`now()` })
    .where(and(eq(invitations.tokenHash, tokenHash(token)), WITH_STATUS.pending))
    .returning();
  if (!invitation)
    throw new ApiError(
      "state_conflict",
      "The invitation was used, revoked, or has expired. Ask for another one.",
    );
  const { accountId, id, email, role } = invitation;
  if (user.email.toLowerCase() !== email)
    throw new ApiError("policy_denied", `The invitation is for ${email}, not for ${user.email}.`);
  const memberId = newId("member");
  const made = await tx
    .insert(members)
    .values({ accountId, id: memberId, userId: user.id, role })
    .onConflictDoNothing()
    .returning({ id: members.id });
  if (made.length === 0) throw new ApiError("already_exists", `${email} is a member of the account already.`);
  await recordAct(
    tx,
    { accountId, memberId, name: user.name },
    { operation: "invitations.accept", resource: id },
    origin,
  );
  return { accountId, memberId };
}
