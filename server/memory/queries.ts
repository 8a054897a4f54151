import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { memories } from "#db/schema/memory.ts";
import { uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { assignedAs, ownSpace } from "#server/operation/tenancy.ts";
import { MEMORY_LIMITS, type Memory, type MemoryReference } from "./schema.ts";

/** What answers are made of. */
export const { words: _words, ...memoryColumns } = getTableColumns(memories);
export type MemoryRow = Omit<typeof memories.$inferSelect, "words">;
type Reference = z.output<typeof MemoryReference>;

/** The memories of exactly the caller's account, project and end user. */
export function ownMemories(caller: Caller): SQL {
  return allOf(assignedAs(memories, caller), eq(memories.space, ownSpace(caller)));
}

/** The one memory of the caller's that is meant. A malformed id answers like a missing one. */
export function referredMemory(caller: Caller, reference: Reference): SQL {
  if ("name" in reference) return allOf(ownMemories(caller), eq(memories.name, reference.name));
  if (!uuidOf("memory", reference.id)) return sql`false`;
  return allOf(ownMemories(caller), eq(memories.id, reference.id));
}

export function noSuchMemory(reference: Reference): ApiError {
  if ("id" in reference) return notFound("memory", reference.id);
  return new ApiError("not_found", `No memory with the name ${JSON.stringify(reference.name)}.`);
}

/** The bytes of a memory's content; PostgreSQL knows them without reading it. */
export const contentBytes = sql<number>`octet_length(${memories.content})`;

/** The first of these that fit into one answer; always the first of all. */
export function thatFit<Entry extends { bytes: number }>(entries: readonly Entry[]): Entry[] {
  let bytes = 0;
  return entries.filter((entry, nth) => {
    bytes += entry.bytes;
    return nth === 0 || bytes <= MEMORY_LIMITS.maximumAnswerBytes;
  });
}

/** The rows of these ids, in their order. */
export async function memoriesOf(tx: Transaction, caller: Caller, ids: string[]): Promise<MemoryRow[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select(memoryColumns)
    .from(memories)
    .where(and(ownMemories(caller), inArray(memories.id, ids)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The wire's form of a row that the caller sees. */
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
