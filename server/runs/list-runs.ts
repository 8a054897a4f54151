import { eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { runs } from "#db/schema/runs.ts";
import { serviceBoundary } from "#server/catalogue/queries.ts";
import { idFilter } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { visible } from "#server/operation/tenancy.ts";
import { toRuns } from "./queries.ts";
import { RUN_STATUSES, Run } from "./schema.ts";

export const listRuns = operation({
  id: "runs.list",
  method: "GET",
  path: "/runs",
  summary: "List runs",
  description: "Newest first, of the services that the key reaches.",
  scope: "runs:read",
  query: PageQuery.extend({
    status: z.enum(RUN_STATUSES).optional().describe("Only runs with this status."),
    serviceId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Only runs of this service.", examples: ["managed-memory"] }),
    projectId: idFilter("project").optional().describe("Only runs of this project."),
  }),
  output: z.object({ runs: z.array(Run), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("run", runs.id, query);
    const boundary = await serviceBoundary(db, caller);
    const condition = allOf(
      visible(runs, caller),
      boundary ? inArray(runs.serviceId, boundary) : undefined,
      query.status && eq(runs.status, query.status),
      query.serviceId === undefined ? undefined : eq(runs.serviceId, query.serviceId),
      query.projectId === undefined ? undefined : eq(runs.projectId, query.projectId),
    );
    const found = await db
      .select()
      .from(runs)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { runs: await toRuns(db, rows), nextCursor };
  },
});
