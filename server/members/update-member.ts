import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { members } from "#db/schema/accounts.ts";
import { revokeKeysOfMember } from "#server/keys/queries.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { revokeInvitationsOf } from "./invitation-rows.ts";
import { findMember, lockMembership, refuseLastOwner } from "./queries.ts";
import { Member, MemberParams, UpdateMember } from "./schema.ts";

export const updateMember = operation({
  id: "members.update",
  method: "PATCH",
  path: "/members/{memberId}",
  summary: "Change a member's role",
  description:
    "Takes effect with the member's next call. Keys that the member created and that exceed the new role are revoked with all descendants, as are the invitations that a former owner sent. The last owner's role can't be changed.",
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  params: MemberParams,
  body: UpdateMember,
  output: z.object({
    member: Member,
    revokedKeyIds: z.array(typeId("apiKey")).describe("Ids of the revoked keys, descendants included."),
  }),
  errors: ["not_found", "state_conflict"],

  async handler({ params, body, caller, db, request: { at } }) {
    const { accountId } = caller;
    const { owners, target } = await lockMembership(db, caller, params.memberId);
    if (body.role !== "owner") {
      refuseLastOwner(owners, target);
      // Only owners invite: by an invitation of their own, a former owner would return as one.
      await revokeInvitationsOf(db, { accountId, id: target.id });
    }
    await db
      .update(members)
      .set({ role: body.role })
      .where(and(eq(members.accountId, accountId), eq(members.id, target.id)));
    const revokedKeyIds = await revokeKeysOfMember(db, {
      member: { accountId, id: target.id },
      beyond: body.role,
      request: { caller, at },
    });
    return { member: await findMember(db, accountId, target.id), revokedKeyIds };
  },
});
