import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { approvals } from "#db/schema/approvals.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, inOrder, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { hasStatus, selectApprovals, toApprovals } from "./rows.ts";
import { Approval } from "./schema.ts";

const payloadBytes = sql<number>`coalesce(octet_length(${approvals.sealedPayload}), octet_length(${approvals.payload}::text), 0)`;

export const listApprovals = operation({
  id: "approvals.list",
  method: "GET",
  path: "/approvals",
  summary: "List approvals",
  description:
    "Lists approvals, newest first, with the decisions so far. Approvers read `summary`, `payload` and `payloadHash` here. A page ends before its payloads would exceed 4 MB; `nextCursor` continues there.",
  scope: "approvals:read",
  query: CountedPageQuery.extend({
    status: Approval.shape.status.optional().describe("Only approvals with this status."),
    kind: Approval.shape.kind.optional().describe("Only approvals of this kind."),
    id: idFilter("approval").optional().describe("Only this approval."),
    endUser: endUserFilter("Only approvals of"),
    search: searchBy("Only approvals whose summary"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ approvals: z.array(Approval), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("approval", approvals.id, query);
    const condition = allOf(
      visible(approvals, caller),
      query.status && hasStatus(query.status),
      query.kind && eq(approvals.kind, query.kind),
      query.id ? eq(approvals.id, query.id) : undefined,
      ofEndUser(approvals.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "approval", id: approvals.id, columns: [approvals.summary] }),
      within(approvals.id, query),
    );
    const found = await db
      .select({ id: approvals.id, bytes: payloadBytes })
      .from(approvals)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cutToFit(found);
    const total = await page.total(db, () => selectApprovals(db).where(condition), { rows, nextCursor });
    const ids = rows.map(({ id }) => id);
    const read = await selectApprovals(db).where(
      and(eq(approvals.accountId, caller.accountId), inArray(approvals.id, ids)),
    );
    return { approvals: await toApprovals(db, inOrder(ids, read)), nextCursor, total };
  },
});
