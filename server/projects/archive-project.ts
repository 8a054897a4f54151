import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { emitProjectEvent, refuseBound, toProject, touched, visibleProjects } from "./queries.ts";
import { Project, ProjectParams } from "./schema.ts";

export const archiveProject = operation({
  id: "projects.archive",
  method: "DELETE",
  path: "/projects/{projectId}",
  summary: "Archive a project",
  description:
    "Keys that are bound to the project can then only read: their writes get 409 `state_conflict`. No key can select it any more, and none can be bound to it. Callers of the whole account can still read and change its resources, by id. Archiving an archived project changes nothing.",
  scope: "projects:write",
  idempotent: true,
  params: ProjectParams,
  output: z.object({ project: Project }),
  errors: ["not_found", "project_not_allowed"],

  async handler({ params, caller, db }) {
    refuseBound(caller);
    const mine = and(visibleProjects(caller), eq(projects.id, params.projectId));
    const [row] = await db
      .update(projects)
      .set({ archivedAt: sql`clock_timestamp()`, updatedAt: touched })
      .where(and(mine, isNull(projects.archivedAt)))
      .returning();
    if (row) return { project: await emitProjectEvent(db, row, "project.archived") };
    const [same] = await db.select().from(projects).where(mine);
    if (!same) throw notFound("project", params.projectId);
    return { project: toProject(same) };
  },
});
