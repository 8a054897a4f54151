import { eq } from "drizzle-orm";
import { z } from "zod";
import { members } from "#db/schema/accounts.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { selectMembers, toMember } from "./queries.ts";
import { Member } from "./schema.ts";

export const listMembers = operation({
  id: "members.list",
  method: "GET",
  path: "/members",
  summary: "List members",
  description: "Lists the account's members, with their role and whether they have a second factor.",
  scope: null,
  people: "members",
  surfaces: ["console"],
  query: PageQuery,
  output: z.object({ members: z.array(Member), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("member", members.id, query);
    const found = await selectMembers(db)
      .where(page.where(eq(members.accountId, caller.accountId)))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { members: rows.map(toMember), nextCursor };
  },
});
