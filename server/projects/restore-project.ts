import { and, eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { emitProjectEvent, refuseBound, toProject, touched, visibleProjects } from "./queries.ts";
import { Project, ProjectParams } from "./schema.ts";

export const restoreProject = operation({
  id: "projects.restore",
  method: "POST",
  path: "/projects/{projectId}/restore",
  summary: "Restore an archived project",
  description:
    "Keys that are bound to the project can write again, and it can be selected. Restoring an active project changes nothing.",
  scope: "projects:write",
  idempotent: true,
  params: ProjectParams,
  body: z.object({}),
  output: z.object({ project: Project }),
  errors: ["not_found", "project_not_allowed"],

  async handler({ params, caller, db }) {
    refuseBound(caller);
    const mine = and(visibleProjects(caller), eq(projects.id, params.projectId));
    const [row] = await db
      .update(projects)
      .set({ archivedAt: null, updatedAt: touched })
      .where(and(mine, isNotNull(projects.archivedAt)))
      .returning();
    if (row) return { project: await emitProjectEvent(db, row, "project.updated") };
    const [same] = await db.select().from(projects).where(mine);
    if (!same) throw notFound("project", params.projectId);
    return { project: toProject(same) };
  },
});
