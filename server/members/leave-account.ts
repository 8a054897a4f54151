import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { endedMembership, endMembership } from "./end-membership.ts";

export const leaveAccount = operation({
  id: "account.leave",
  method: "POST",
  path: "/account/leave",
  summary: "End one's own membership",
  description:
    "As if removed by an owner: one's keys and pending invitations of the account end too. The last owner can't leave.",
  scope: null,
  people: "members",
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  output: z.object(endedMembership),
  errors: ["state_conflict"],

  handler: ({ caller, db, request: { at } }) => endMembership(db, caller.id, { caller, at }),
});
