import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toProject, visibleProjects } from "./queries.ts";
import { Project, ProjectParams } from "./schema.ts";

export const readProject = operation({
  id: "projects.read",
  method: "GET",
  path: "/projects/{projectId}",
  summary: "Read a project",
  scope: "projects:read",
  params: ProjectParams,
  output: z.object({ project: Project }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await db
      .select()
      .from(projects)
      .where(and(visibleProjects(caller), eq(projects.id, params.projectId)));
    if (!row) throw notFound("project", params.projectId);
    return { project: toProject(row) };
  },
});
