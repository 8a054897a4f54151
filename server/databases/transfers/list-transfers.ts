import { eq } from "drizzle-orm";
import { z } from "zod";
import { databaseTransfers } from "#db/schema/databases.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { refuseBound } from "../queries.ts";
import { toTransfer } from "./rows.ts";
import { Transfer } from "./schema.ts";

export const listTransfers = operation({
  id: "databases.transfers.list",
  method: "GET",
  path: "/databases/transfers",
  summary: "List exports and imports",
  description: "Newest first, without their parts. Those of a database that was removed stay listed.",
  scope: "databases:read",
  service: "managed-database",
  surfaces: ["console"],
  query: PageQuery,
  output: z.object({
    transfers: z.array(Transfer.omit({ parts: true })).describe("The transfers of the page."),
    nextCursor,
  }),
  errors: ["project_not_allowed"],

  async handler({ query, caller, db }) {
    refuseBound(caller);
    const page = pageOf("transfer", databaseTransfers.id, query);
    const found = await db
      .select()
      .from(databaseTransfers)
      .where(page.where(eq(databaseTransfers.accountId, caller.accountId)))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { transfers: rows.map((row) => toTransfer(row, [])), nextCursor };
  },
});
