import { and, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { placeholder, preparedBy } from "#db/prepared.ts";
import { projects } from "#db/schema/projects.ts";
import { matching, searchBy, WORD } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
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
  description:
    "Lists projects, newest first. A key that is bound to a project sees only that one, a key that is bound only to an end user sees them all.",
  scope: "projects:read",
  query: CountedPageQuery.extend({
    status: Project.shape.status.optional().describe("Only projects with this status."),
    search: searchBy("Only projects whose name or slug"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ projects: z.array(Project), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("project", projects.id, query, { sorts: { name: projects.name } });
    const { status, search, sort, from, to } = query;
    const condition = () =>
      allOf(
        eq(projects.accountId, caller.accountId),
        caller.project ? eq(projects.id, caller.project.id) : undefined,
        status && STATUS[status],
        search === undefined
          ? undefined
          : matching(search, {
              kind: "project",
              id: projects.id,
              columns: [projects.name],
              plain: { columns: [projects.slug], made: WORD },
            }),
        within(projects.id, query),
      );
    const { rows, nextCursor } = page.cut(await read());
    const total = await page.total(db, () => db.select().from(projects).where(condition()), {
      rows,
      nextCursor,
    });
    return { projects: rows.map(toProject), nextCursor, total };

    function read() {
      if ([search, sort, from, to].every((part) => part === undefined))
        return pageQuery(db, { selected: caller.project !== null, status }).execute({
          accountId: caller.accountId,
          projectId: caller.project?.id,
          before: page.start,
          limit: page.limit,
        });
      return db.select().from(projects).where(page.where(condition())).orderBy(page.order).limit(page.limit);
    }
  },
});
