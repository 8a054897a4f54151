import { and, eq, getTableColumns, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { serviceBoundary } from "#server/catalogue/queries.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { idFilter } from "#server/operation/fields.ts";
import { matching, ofContent, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { toArtifact } from "./queries.ts";
import { Artifact } from "./schema.ts";

export const listArtifacts = operation({
  id: "artifacts.list",
  method: "GET",
  path: "/artifacts",
  summary: "List artifacts",
  description: "Lists the unexpired artifacts of the services that the key may use, newest first.",
  scope: "artifacts:read",
  query: CountedPageQuery.extend({
    runId: idFilter("run").optional().describe("Only artifacts of this run."),
    serviceId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only artifacts of this service.", examples: ["managed-memory"] }),
    endUser: endUserFilter("Only artifacts of"),
    search: searchBy("Only artifacts whose content has this SHA-256, in hex, or whose name"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ artifacts: z.array(Artifact), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("artifact", artifacts.id, query, { sorts: { name: artifacts.name } });
    const boundary = await serviceBoundary(db, caller);
    const condition = allOf(
      visible(artifacts, caller),
      gt(artifacts.expiresAt, sql`now()`),
      boundary ? inArray(artifacts.serviceId, boundary) : undefined,
      query.runId ? eq(artifacts.runId, query.runId) : undefined,
      query.serviceId === undefined ? undefined : eq(artifacts.serviceId, query.serviceId),
      ofEndUser(artifacts.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : anyOf(
            matching(query.search, { kind: "artifact", id: artifacts.id, columns: [artifacts.name] }),
            ofContent(artifacts.sha256, query.search),
          ),
      within(artifacts.id, query),
    );
    const found = await db
      .select({ row: getTableColumns(artifacts), endUser: endUsers.externalId })
      .from(artifacts)
      .leftJoin(
        endUsers,
        and(eq(endUsers.accountId, artifacts.accountId), eq(endUsers.id, artifacts.endUserId)),
      )
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found.map(({ row, endUser }) => ({ ...row, endUser })));
    const total = await page.total(db, () => db.select().from(artifacts).where(condition), {
      rows,
      nextCursor,
    });
    return { artifacts: rows.map(({ endUser, ...row }) => toArtifact(row, endUser)), nextCursor, total };
  },
});
