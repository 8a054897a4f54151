import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { members, users } from "#db/schema/accounts.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
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
  query: CountedPageQuery.extend({
    role: Member.shape.role.optional().describe("Only members with this role."),
    search: searchBy("Only members whose name or email address"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ members: z.array(Member), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("member", members.id, query);
    const condition = allOf(
      eq(members.accountId, caller.accountId),
      query.role && eq(members.role, query.role),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "member", id: members.id, columns: [users.name, users.email] }),
      within(members.id, query),
    );
    const found = await selectMembers(db).where(page.where(condition)).orderBy(page.order).limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectMembers(db).where(condition), { rows, nextCursor });
    return { members: rows.map(toMember), nextCursor, total };
  },
});
