import { and, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { placeholder, preparedBy } from "#db/prepared.ts";
import { projects } from "#db/schema/projects.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { toProject } from "./queries.ts";
import { Project } from "./schema.ts";

const STATUS = { active: isNull(projects.archivedAt), archived: isNotNull(projects.archivedAt) };

const pageQuery = preparedBy(
  (db: Db | Transaction, shape: { selected: boolean; status?: keyof typeof STATUS }) =>
    db
      .select()
      .from(projects)
      .where(
        and(
          eq(projects.accountId, placeholder(projects.accountId, "accountId")),
          shape.selected ? eq(projects.id, placeholder(projects.id, "projectId")) : undefined,
          lt(projects.id, placeholder(projects.id, "before")),
          shape.status && STATUS[shape.status],
        ),
      )
      .orderBy(desc(projects.id))
      .limit(sql.placeholder("limit"))
      .prepare("projects.list"),
);

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
    const found = await pageQuery(db, { selected: caller.project !== null, status: query.status }).execute({
      accountId: caller.accountId,
      projectId: caller.project?.id,
      before: page.before,
      limit: page.limit,
    });
    const { rows, nextCursor } = page.cut(found);
    return { projects: rows.map(toProject), nextCursor };
  },
});
