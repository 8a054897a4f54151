import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { knownEndUsers, toEndUser } from "./queries.ts";
import { EndUser } from "./schema.ts";

export const listEndUsers = operation({
  id: "endUsers.list",
  method: "GET",
  path: "/end-users",
  surfaces: ["console"],
  summary: "List end users",
  description: "Lists the account's end users, newest first. One whose external id was erased is left out.",
  scope: "projects:read",
  query: CountedPageQuery.extend({
    externalId: z
      .string()
      .max(200)
      .optional()
      .meta({
        description: "Only the end user with exactly this id of yours.",
        examples: ["customer-81"],
      }),
    search: searchBy("Only end users whose external id"),
    ...PeriodQuery.shape,
    sort: sortBy(["externalId"]),
  }),
  output: z.object({ endUsers: z.array(EndUser), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("endUser", endUsers.id, query, { sorts: { externalId: endUsers.externalId } });
    const { externalId, search } = query;
    const condition = allOf(
      knownEndUsers(caller),
      externalId === undefined ? undefined : eq(endUsers.externalId, externalId),
      search === undefined
        ? undefined
        : matching(search, { kind: "endUser", id: endUsers.id, columns: [endUsers.externalId] }),
      within(endUsers.id, query),
    );
    const found = await db
      .select()
      .from(endUsers)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found.map(toEndUser));
    const total = await page.total(db, () => db.select().from(endUsers).where(condition), {
      rows,
      nextCursor,
    });
    return { endUsers: rows, nextCursor, total };
  },
});
