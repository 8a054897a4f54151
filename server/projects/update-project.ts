import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { isDuplicate } from "#server/operation/faults.ts";
import { operation } from "#server/operation/operation.ts";
import { emitProjectEvent, refuseBound, touched, visibleProjects } from "./queries.ts";
import { Project, ProjectParams, UpdateProject } from "./schema.ts";

export const updateProject = operation({
  id: "projects.update",
  method: "PATCH",
  path: "/projects/{projectId}",
  summary: "Update a project",
  description: "Changes only the fields sent; null clears. An archived project can't be changed.",
  scope: "projects:write",
  idempotent: true,
  params: ProjectParams,
  body: UpdateProject,
  output: z.object({ project: Project }),
  errors: ["not_found", "already_exists", "state_conflict", "project_not_allowed"],
  examples: { body: { description: "Orders, payments and returns." } },

  async handler({ params, body, caller, db }) {
    refuseBound(caller);
    const mine = and(visibleProjects(caller), eq(projects.id, params.projectId));
    const [before] = await db.select().from(projects).where(mine).for("update");
    if (!before) throw notFound("project", params.projectId);
    if (before.archivedAt)
      throw new ApiError("state_conflict", `Project ${params.projectId} is archived and can't be changed.`);
    const { metadata, ...fields } = body;
    const changes = {
      ...fields,
      ...(metadata !== undefined && { metadata: metadata ?? {} }),
      updatedAt: touched,
    };
    const [row] = await db
      .update(projects)
      .set(changes)
      .where(mine)
      .returning()
      .catch((reason) => {
        if (!isDuplicate(reason, "projects_slug")) throw reason;
        throw new ApiError(
          "already_exists",
          `A project with the slug ${body.slug} exists. Send another slug.`,
        );
      });
    return { project: await emitProjectEvent(db, defined(row), "project.updated") };
  },
});
