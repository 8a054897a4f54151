import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { invitations } from "#db/schema/accounts.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { selectInvitations, toInvitation, WITH_STATUS } from "./invitation-rows.ts";
import { INVITATION_STATUSES, Invitation } from "./schema.ts";

export const listInvitations = operation({
  id: "invitations.list",
  method: "GET",
  path: "/invitations",
  summary: "List invitations",
  scope: null,
  people: "owners",
  surfaces: ["console"],
  query: PageQuery.extend({
    status: z.enum(INVITATION_STATUSES).optional().describe("Only invitations with this status now."),
  }),
  output: z.object({ invitations: z.array(Invitation), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("invitation", invitations.id, query);
    const condition = allOf(
      eq(invitations.accountId, caller.accountId),
      query.status && WITH_STATUS[query.status],
    );
    const found = await selectInvitations(db)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { invitations: rows.map(toInvitation), nextCursor };
  },
});
