import { and, isNotNull, isNull, type SQL } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { toProject, visibleProjects } from "./queries.ts";
import { Project } from "./schema.ts";

export const listProjects = operation({
  id: "projects.list",
  method: "GET",
  path: "/projects",
  summary: "List projects",
  description: "Newest first. A project-bound key sees its project only.",
  scope: "projects:read",
  query: PageQuery.extend({
    status: z.enum(["active", "archived"]).optional().describe("Only projects with this status."),
  }),
  output: z.object({ projects: z.array(Project), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("project", projects.id, query);
    const status = { active: isNull(projects.archivedAt), archived: isNotNull(projects.archivedAt) };
    const condition = and(visibleProjects(caller), query.status && status[query.status]) as SQL;
    const found = await db
      .select()
      .from(projects)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { projects: rows.map(toProject), nextCursor };
  },
});
