import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { members } from "#db/schema/accounts.ts";
import { revokeKeysOfMember } from "#server/keys/queries.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { findMember, lockMembership, refuseLastOwner } from "./queries.ts";
import { Member, MemberParams, UpdateMember } from "./schema.ts";

export const updateMember = operation({
  id: "members.update",
  method: "PATCH",
  path: "/members/{memberId}",
  summary: "Change a member's role",
  description:
    "It counts from the member's next call. Keys that the member made and that are wider than the new role are revoked with everything below them. The last owner stays one.",
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
    revokedKeyIds: z.array(typeId("apiKey")).describe("Keys that stopped, with all below them."),
  }),
  errors: ["not_found", "state_conflict"],

  async handler({ params, body, caller, db, request: { at } }) {
    const { accountId } = caller;
    const { owners, target } = await lockMembership(db, caller, params.memberId);
    if (body.role !== "owner") refuseLastOwner(owners, target);
    await db
      .update(members)
      .set({ role: body.role })
      .where(and(eq(members.accountId, accountId), eq(members.id, target.id)));
    const revokedKeyIds = await revokeKeysOfMember(db, {
      member: { accountId, id: target.id },
      beyond: ROLE_SCOPES[body.role],
      request: { caller, at },
    });
    return { member: await findMember(db, accountId, target.id), revokedKeyIds };
  },
});
