import { z } from "zod";
import { projects } from "#db/schema/projects.ts";
import { currentMs } from "#server/base/clock.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { emitProjectEvent, refuseBound } from "./queries.ts";
import { CreateProject, Project } from "./schema.ts";

/** `My shop!` → `my-shop`. */
function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 60).replace(/-+$/, "") || "project";
}

export const createProject = operation({
  id: "projects.create",
  method: "POST",
  path: "/projects",
  summary: "Create a project",
  description:
    "Keys and resources can be bound to a project. Without a `slug`, one is derived from the name. Only keys that are bound to neither a project nor an end user create, change and archive projects.",
  scope: "projects:write",
  idempotent: true,
  body: CreateProject,
  output: z.object({ project: Project }),
  status: 201,
  errors: ["already_exists", "project_not_allowed"],
  examples: { body: { name: "Web shop", description: "Orders and payments." } },

  async handler({ body, caller, db }) {
    refuseBound(caller);
    const id = newId("project");
    const wanted = body.slug ?? slugOf(body.name);
    // The unique index decides, so two concurrent requests can't both take a slug.
    for (const slug of body.slug ? [wanted] : [wanted, `${wanted}-${id.slice(-6)}`]) {
      const [row] = await db
        .insert(projects)
        .values({
          ...body,
          id,
          slug,
          accountId: caller.accountId,
          metadata: body.metadata ?? {},
          updatedAt: new Date(currentMs()),
        })
        .onConflictDoNothing({ target: [projects.accountId, projects.slug] })
        .returning();
      if (row) return { project: await emitProjectEvent(db, row, "project.created") };
    }
    throw new ApiError("already_exists", `A project with the slug ${wanted} exists. Send another slug.`);
  },
});
