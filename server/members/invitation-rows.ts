import { and, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { invitations, members, users } from "#db/schema/accounts.ts";
import { notFound } from "#server/operation/errors.ts";
import type { Invitation } from "./schema.ts";
import type { INVITATION_STATUSES } from "./statuses.ts";

type Status = (typeof INVITATION_STATUSES)[number];

const open = allOf(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));
const over = lte(invitations.expiresAt, sql`now()`);

/** The condition for each status of an invitation. */
export const WITH_STATUS: Record<Status, SQL> = {
  pending: allOf(open, gt(invitations.expiresAt, sql`now()`)),
  expired: allOf(open, over),
  accepted: isNotNull(invitations.acceptedAt),
  revoked: isNotNull(invitations.revokedAt),
};

/** Selects invitations with the inviting member; the caller adds the account condition. */
export function selectInvitations(db: Db | Transaction) {
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      mail: invitations.mail,
      mailError: invitations.mailError,
      invitedBy: users.name,
      acceptedAt: invitations.acceptedAt,
      revokedAt: invitations.revokedAt,
      expired: sql<boolean>`${over}`,
      expiresAt: invitations.expiresAt,
      createdAt: invitations.createdAt,
    })
    .from(invitations)
    .leftJoin(
      members,
      and(eq(members.accountId, invitations.accountId), eq(members.id, invitations.invitedBy)),
    )
    .leftJoin(users, eq(users.id, members.userId))
    .$dynamic();
}

type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

/** Returns the public form of an invitation. */
export function toInvitation(row: InvitationRow): z.input<typeof Invitation> {
  const { acceptedAt, revokedAt, expired, ...facts } = row;
  return {
    ...facts,
    status: acceptedAt ? "accepted" : revokedAt ? "revoked" : expired ? "expired" : "pending",
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Returns an invitation to the account. */
export async function readInvitation(db: Db | Transaction, accountId: string, id: string) {
  const [row] = await selectInvitations(db).where(
    and(eq(invitations.accountId, accountId), eq(invitations.id, id)),
  );
  if (!row) throw notFound("invitation", id);
  return toInvitation(row);
}

/** Revokes the invitations that a member sent and nobody has accepted. */
export async function revokeInvitationsOf(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(allOf(eq(invitations.accountId, accountId), eq(invitations.invitedBy, id), open));
}
