import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { invitations } from "#db/schema/accounts.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { readInvitation } from "./invitation-rows.ts";
import { Invitation, InvitationParams } from "./schema.ts";

export const revokeInvitation = operation({
  id: "invitations.revoke",
  method: "DELETE",
  path: "/invitations/{invitationId}",
  summary: "Revoke an invitation",
  description: "The invitation's link stops working. Revoking a revoked invitation changes nothing.",
  scope: null,
  people: "owners",
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  params: InvitationParams,
  output: z.object({ invitation: Invitation }),
  errors: ["not_found", "state_conflict"],

  async handler({ params, caller, db }) {
    await db
      .update(invitations)
      .set({ revokedAt: sql`coalesce(${invitations.revokedAt}, now())` })
      .where(
        and(
          eq(invitations.accountId, caller.accountId),
          eq(invitations.id, params.invitationId),
          isNull(invitations.acceptedAt),
        ),
      );
    const invitation = await readInvitation(db, caller.accountId, params.invitationId);
    if (invitation.status === "accepted")
      throw new ApiError(
        "state_conflict",
        `${invitation.email} has accepted the invitation. Remove the member instead.`,
      );
    return { invitation };
  },
});
