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
    "At once: the member's sessions reach nothing of the account, keys that the member made are revoked with everything below them, and so are invitations that the member sent. The last owner stays.",
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
