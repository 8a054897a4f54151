import { eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { projects } from "#db/schema/projects.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Project } from "./schema.ts";

/** Returns a project's row in its public form. */
export function toProject(row: typeof projects.$inferSelect): z.input<typeof Project> {
  const { accountId: _, archivedAt, createdAt, updatedAt, ...project } = row;
  return {
    ...project,
    status: archivedAt ? "archived" : "active",
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}

/** Emits a project's event to the account's webhooks. Returns the project in its public form. */
export async function emitProjectEvent(
  tx: Transaction,
  row: typeof projects.$inferSelect,
  type: "project.created" | "project.updated" | "project.archived",
): Promise<z.input<typeof Project>> {
  const project = toProject(row);
  const about = { accountId: row.accountId, projectId: row.id, endUserId: null, resource: row.id };
  await emitEvent(tx, { type, ...about, data: { project } });
  return project;
}

/**
 * Returns the condition for the projects that the caller sees: the account's, or the one that is bound or selected.
 */
export function visibleProjects(caller: Caller): SQL {
  return allOf(
    eq(projects.accountId, caller.accountId),
    caller.project ? eq(projects.id, caller.project.id) : undefined,
  );
}

/** Refuses a key that is bound to a project or an end user: projects belong to the account. */
export function refuseBound({ project, endUser }: Caller): void {
  const binding = project?.bound ? `project ${project.id}` : endUser?.bound ? "an end user" : null;
  if (binding)
    throw new ApiError("project_not_allowed", `The key is bound to ${binding} and can't change projects.`);
}

/** A later `updatedAt` than any before, so that two changes in one millisecond differ. */
export const touched = sql`greatest(clock_timestamp(), ${projects.updatedAt} + interval '1 millisecond')`;
