import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { refuseProjectBound, toProject, touched, visibleProjects } from "./queries.ts";
import { Project, ProjectParams } from "./schema.ts";

export const archiveProject = operation({
  id: "projects.archive",
  method: "DELETE",
  path: "/projects/{projectId}",
  summary: "Archive a project",
  description: "Its things stay readable; nothing in it can be changed. Archiving it again changes nothing.",
  scope: "projects:write",
  idempotent: true,
  params: ProjectParams,
  output: z.object({ project: Project }),
  errors: ["not_found", "project_not_allowed"],

  async handler({ params, caller, db }) {
    refuseProjectBound(caller);
    const mine = and(visibleProjects(caller), eq(projects.id, params.projectId));
    const [row] = await db
      .update(projects)
      .set({
        archivedAt: sql`coalesce(${projects.archivedAt}, clock_timestamp())`,
        updatedAt: sql`case when ${projects.archivedAt} is null then ${touched} else ${projects.updatedAt} end`,
      })
      .where(mine)
      .returning();
    if (!row) throw notFound("project", params.projectId);
    return { project: toProject(row) };
  },
});
