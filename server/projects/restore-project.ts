import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toProject, touched, visibleProjects } from "./queries.ts";
import { Project, ProjectParams } from "./schema.ts";

export const restoreProject = operation({
  id: "projects.restore",
  method: "POST",
  path: "/projects/{projectId}/restore",
  summary: "Restore an archived project",
  description: "Its things can be changed again. Restoring an active project changes nothing.",
  scope: "projects:write",
  idempotent: true,
  surfaces: ["console"],
  params: ProjectParams,
  output: z.object({ project: Project }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await db
      .update(projects)
      .set({
        archivedAt: null,
        updatedAt: sql`case when ${projects.archivedAt} is null then ${projects.updatedAt} else ${touched} end`,
      })
      .where(and(visibleProjects(caller), eq(projects.id, params.projectId)))
      .returning();
    if (!row) throw notFound("project", params.projectId);
    return { project: toProject(row) };
  },
});
