import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { memories } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { inOrder } from "#server/operation/page.ts";
import { assignedAs, ownSpace } from "#server/operation/tenancy.ts";
import { MEMORY_LIMITS, type Memory, type MemoryReference } from "./schema.ts";

/** The columns that responses are built from. */
export const { words: _words, ...memoryColumns } = getTableColumns(memories);
export type MemoryRow = Omit<typeof memories.$inferSelect, "words">;
type Reference = z.output<typeof MemoryReference>;

/** Returns the condition for memories of exactly the caller's account, project and end user. */
export function ownMemories(caller: Caller): SQL {
  return allOf(assignedAs(memories, caller), eq(memories.space, ownSpace(caller)));
}

/**
 * Returns the condition for the caller's memory with this id or name. A malformed id is treated like one that does
 * not exist.
 */
export function referredMemory(caller: Caller, reference: Reference): SQL {
  if ("name" in reference) return allOf(ownMemories(caller), eq(memories.name, reference.name));
  if (!uuidOf("memory", reference.id)) return sql`false`;
  return allOf(ownMemories(caller), eq(memories.id, reference.id));
}

export function noSuchMemory(reference: Reference): ApiError {
  if ("id" in reference) return notFound("memory", reference.id);
  return new ApiError("not_found", `No memory with the name ${JSON.stringify(reference.name)}.`);
}

/** Joins the project of each memory. */
export const ownProject = and(
  eq(projects.accountId, memories.accountId),
  eq(projects.id, memories.projectId),
);

/** True for a memory in an archived project, which no call changes. */
export const isReadOnly = sql<boolean>`${projects.archivedAt} is not null`;

/** The size of a memory's content; PostgreSQL knows it without reading the content. */
export const contentBytes = sql<number>`octet_length(${memories.content})`;

/** Returns the first of these entries that fit into one response; at least the very first. */
export function thatFit<Entry extends { bytes: number }>(entries: readonly Entry[]): Entry[] {
  let bytes = 0;
  return entries.filter((entry, nth) => {
    bytes += entry.bytes;
    return nth === 0 || bytes <= MEMORY_LIMITS.maximumAnswerBytes;
  });
}

/** Returns the rows with these ids, in the same order. */
export async function memoriesOf(db: Db | Transaction, caller: Caller, ids: string[]): Promise<MemoryRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(memoryColumns)
    .from(memories)
    .where(and(ownMemories(caller), inArray(memories.id, ids)));
  return inOrder(ids, rows);
}

/** Returns a memory's row in its public form. */
export function toMemory(row: MemoryRow, caller: Caller): z.input<typeof Memory> {
  const { id, name, content, tags, metadata, projectId, createdAt, updatedAt } = row;
  return {
    id,
    name,
    content,
    tags,
    metadata,
    projectId,
    endUser: caller.endUser?.externalId ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
