import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { endedMembership, endMembership } from "./end-membership.ts";

export const leaveAccount = operation({
  id: "account.leave",
  method: "POST",
  path: "/account/leave",
  summary: "End the calling member's membership",
  description:
    "Ends the calling member's own membership, as if an owner had removed them: the keys they created and their pending invitations are revoked. The last owner can't leave.",
  scope: null,
  people: "members",
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  output: z.object(endedMembership),
  errors: ["state_conflict"],

  handler: ({ caller, db, request: { at } }) => endMembership(db, caller.id, { caller, at }),
});
