import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { findMember } from "./queries.ts";
import { Member, MemberParams } from "./schema.ts";

export const readMember = operation({
  id: "members.read",
  method: "GET",
  path: "/members/{memberId}",
  summary: "Read a member",
  scope: null,
  people: "members",
  surfaces: ["console"],
  params: MemberParams,
  output: z.object({ member: Member }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    return { member: await findMember(db, caller.accountId, params.memberId) };
  },
});
