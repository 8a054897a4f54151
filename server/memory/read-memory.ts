import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { endUserNamed, visible } from "#server/operation/tenancy.ts";
import { isReadOnly, memoryColumns, ownProject, toMemory } from "./queries.ts";
import { Memory, MemoryParams, readOnly } from "./schema.ts";

export const readMemory = operation({
  id: "memories.read",
  method: "GET",
  path: "/memories/{memoryId}",
  surfaces: ["console"],
  summary: "Read a memory",
  description: "Of any project and end user that the caller sees.",
  scope: "services:invoke",
  service: "managed-memory",
  params: MemoryParams,
  output: z.object({ memory: Memory, readOnly }),
  errors: ["not_found"],

  async handler({ params: { memoryId }, caller, db }) {
    const [found] = await db
      .select({ row: memoryColumns, readOnly: isReadOnly })
      .from(memories)
      .leftJoin(projects, ownProject)
      .where(and(visible(memories, caller), eq(memories.id, memoryId)));
    if (!found) throw notFound("memory", memoryId);
    const { row, readOnly } = found;
    const endUser = await endUserNamed(db, row.accountId, row.endUserId);
    return { memory: { ...toMemory(row, caller), endUser }, readOnly };
  },
});
