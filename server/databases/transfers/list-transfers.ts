import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { refuseBound } from "../queries.ts";
import { toTransfer } from "./rows.ts";
import { Transfer } from "./schema.ts";

export const listTransfers = operation({
  id: "databases.transfers.list",
  method: "GET",
  path: "/databases/transfers",
  summary: "List exports and imports",
  description:
    "Lists exports and imports, newest first, without their parts. Those of a removed database stay listed.",
  scope: "databases:read",
  service: "managed-database",
  surfaces: ["console"],
  query: CountedPageQuery.extend({
    direction: Transfer.shape.direction.optional().describe("Only exports, or only imports."),
    status: Transfer.shape.status.optional().describe("Only transfers with this status."),
    search: searchBy("Only transfers").describe("Only transfers whose id begins with this text."),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({
    transfers: z.array(Transfer.omit({ parts: true })).describe("The transfers of the page."),
    nextCursor,
    total,
  }),
  errors: ["project_not_allowed"],

  async handler({ query, caller, db }) {
    refuseBound(caller);
    const page = pageOf("transfer", databaseTransfers.id, query);
    const condition = allOf(
      eq(databaseTransfers.accountId, caller.accountId),
      query.direction && eq(databaseTransfers.direction, query.direction),
      query.status && eq(databaseTransfers.status, query.status),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "transfer", id: databaseTransfers.id, columns: [] }),
      within(databaseTransfers.id, query),
    );
    const found = await db
      .select()
      .from(databaseTransfers)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const all = db.select().from(databaseTransfers).where(condition);
    const total = await page.total(db, () => all, { rows, nextCursor });
    return { transfers: rows.map((row) => toTransfer(row, [])), nextCursor, total };
  },
});
