import { eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { projects } from "#db/schema/projects.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Project } from "./schema.ts";

/** The wire's form of a row. */
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

/** Emits a project's event to the account's webhooks. Returns the project's wire form. */
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

/** The account's projects, or the one that the caller is bound to or has selected. */
export function visibleProjects(caller: Caller): SQL {
  return allOf(
    eq(projects.accountId, caller.accountId),
    caller.project ? eq(projects.id, caller.project.id) : undefined,
  );
}

/** A key that is bound to a project can't change projects (spec, "Delegation"). */
export function refuseProjectBound(caller: Caller): void {
  if (caller.project?.bound) {
    throw new ApiError(
      "project_not_allowed",
      `The key is bound to project ${caller.project.id} and can't change projects.`,
    );
  }
}

/** Moves `updatedAt` past every earlier value, so that two changes in one millisecond differ. */
export const touched = sql`greatest(clock_timestamp(), ${projects.updatedAt} + interval '1 millisecond')`;
