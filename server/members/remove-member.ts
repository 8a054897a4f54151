import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { endedMembership, endMembership } from "./end-membership.ts";
import { MemberParams } from "./schema.ts";

export const removeMember = operation({
  id: "members.delete",
  method: "DELETE",
  path: "/members/{memberId}",
  summary: "Remove a member",
  description:
    "Takes effect at once: the member loses access to the account, and the keys they created are revoked with all descendants, as are the invitations they sent. The last owner can't be removed.",
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  params: MemberParams,
  output: z.object(endedMembership),
  errors: ["not_found", "state_conflict"],

  handler: ({ params, caller, db, request: { at } }) => endMembership(db, params.memberId, { caller, at }),
});
