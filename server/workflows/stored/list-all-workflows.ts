import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { workflows, workflowVersions } from "#db/schema/workflows.ts";
import { endUserFilter, ofEndUser } from "#server/operation/end-user-filter.ts";
import { matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { toStoredWorkflows, versionColumns } from "./rows.ts";
import { ListedWorkflow } from "./schema.ts";
import { WORKFLOW_STATUSES } from "./statuses.ts";

export const listAllWorkflows = operation({
  id: "workflows.list",
  method: "GET",
  path: "/workflows",
  surfaces: ["console"],
  summary: "List the account's stored workflows",
  description:
    "Each with its newest version, newest first, of all projects and end users that the caller sees.",
  scope: "runs:read",
  service: "managed-workflows",
  query: CountedPageQuery.extend({
    status: z.enum(WORKFLOW_STATUSES).optional().describe("Only workflows with this status."),
    endUser: endUserFilter("Only workflows of"),
    search: searchBy("Only workflows whose name"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ workflows: z.array(ListedWorkflow), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("workflow", workflows.id, query, { sorts: { name: workflows.name } });
    const statusIs = { active: isNull(workflows.archivedAt), archived: isNotNull(workflows.archivedAt) };
    const condition = allOf(
      visible(workflows, caller),
      query.status && statusIs[query.status],
      ofEndUser(workflows.endUserId, caller, query.endUser),
      query.search === undefined
        ? undefined
        : matching(query.search, { kind: "workflow", id: workflows.id, columns: [workflows.name] }),
      within(workflows.id, query),
    );
    const found = await db
      .select({ id: workflows.id, name: workflows.name, workflow: workflows, version: versionColumns })
      .from(workflows)
      .innerJoin(
        workflowVersions,
        and(
          eq(workflowVersions.accountId, workflows.accountId),
          eq(workflowVersions.workflowId, workflows.id),
          eq(workflowVersions.version, workflows.version),
        ),
      )
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => db.select().from(workflows).where(condition), {
      rows,
      nextCursor,
    });
    const firstPutAt = new Map(rows.map(({ workflow }) => [workflow.id, workflow.createdAt.toISOString()]));
    const listed = (await toStoredWorkflows(db, rows)).map((newest) => ({
      ...newest,
      firstPutAt: firstPutAt.get(newest.id) ?? newest.createdAt,
    }));
    return { workflows: listed, nextCursor, total };
  },
});
