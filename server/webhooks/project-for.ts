import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { projects } from "#db/schema/projects.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";

/** Returns the project whose events are sent: the named one, else the caller's. */
export async function projectFor(
  db: Db | Transaction,
  { accountId, project }: Caller,
  named: string | undefined,
) {
  if (named === undefined || named === project?.id) return project?.id ?? null;
  if (project)
    throw new ApiError(
      "project_not_allowed",
      `The ${project.bound ? "key is bound to" : "request is for"} project ${project.id}, not ${named}.`,
    );
  const one = and(eq(projects.accountId, accountId), eq(projects.id, named));
  const [found] = uuidOf("project", named) === null ? [] : await db.select().from(projects).where(one);
  if (!found) throw notFound("project", named);
  if (found.archivedAt) throw new ApiError("state_conflict", `Project ${named} is archived.`);
  return found.id;
}
