import { and, desc, eq, ilike, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { placeholder, preparedBy } from "#db/prepared.ts";
import { projects } from "#db/schema/projects.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf, patternOf, searchBy } from "#server/operation/page.ts";
import { toProject } from "./queries.ts";
import { Project } from "./schema.ts";

const STATUS = { active: isNull(projects.archivedAt), archived: isNotNull(projects.archivedAt) };

const pageQuery = preparedBy(
  (db: Db | Transaction, shape: { selected: boolean; searched: boolean; status?: keyof typeof STATUS }) =>
    db
      .select()
      .from(projects)
      .where(
        and(
          eq(projects.accountId, placeholder(projects.accountId, "accountId")),
          shape.selected ? eq(projects.id, placeholder(projects.id, "projectId")) : undefined,
          lt(projects.id, placeholder(projects.id, "before")),
          shape.status && STATUS[shape.status],
          shape.searched ? ilike(projects.name, sql.placeholder("pattern")) : undefined,
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
  description: "Lists projects, newest first. A key that is bound to a project sees only that one.",
  scope: "projects:read",
  query: PageQuery.extend({
    status: z.enum(["active", "archived"]).optional().describe("Only projects with this status."),
    search: searchBy("Only projects whose name"),
  }),
  output: z.object({ projects: z.array(Project), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("project", projects.id, query);
    const shape = {
      selected: caller.project !== null,
      searched: query.search !== undefined,
      status: query.status,
    };
    const found = await pageQuery(db, shape).execute({
      accountId: caller.accountId,
      projectId: caller.project?.id,
      before: page.before,
      pattern: patternOf(query.search ?? ""),
      limit: page.limit,
    });
    const { rows, nextCursor } = page.cut(found);
    return { projects: rows.map(toProject), nextCursor };
  },
});
