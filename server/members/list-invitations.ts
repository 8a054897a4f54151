import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { invitations } from "#db/schema/accounts.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { selectInvitations, toInvitation, WITH_STATUS } from "./invitation-rows.ts";
import { Invitation } from "./schema.ts";
import { INVITATION_STATUSES } from "./statuses.ts";

export const listInvitations = operation({
  id: "invitations.list",
  method: "GET",
  path: "/invitations",
  summary: "List invitations",
  scope: null,
  people: "owners",
  surfaces: ["console"],
  query: CountedPageQuery.extend({
    status: z.enum(INVITATION_STATUSES).optional().describe("Only invitations with this status now."),
    role: Invitation.shape.role.optional().describe("Only invitations to this role."),
    search: searchBy("Only invitations whose email address"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ invitations: z.array(Invitation), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("invitation", invitations.id, query);
    const condition = allOf(
      eq(invitations.accountId, caller.accountId),
      query.status && WITH_STATUS[query.status],
      query.role && eq(invitations.role, query.role),
      query.search === undefined
        ? undefined
        : matching(query.search, {
            kind: "invitation",
            id: invitations.id,
            columns: [invitations.email],
          }),
      within(invitations.id, query),
    );
    const found = await selectInvitations(db)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectInvitations(db).where(condition), { rows, nextCursor });
    return { invitations: rows.map(toInvitation), nextCursor, total };
  },
});
