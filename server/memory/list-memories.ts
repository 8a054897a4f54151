import { arrayContains } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { memories } from "#db/schema/memory.ts";
import { nextCursor, pageOf } from "#server/operation/page.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { contentBytes, memoriesOf, ownMemories, thatFit, toMemory } from "./queries.ts";
import { ListMemories, Memory } from "./schema.ts";

export const listMemories = capability({
  id: "list",
  title: "List memories",
  description:
    "Lists memories, newest first. A page ends before its content would exceed 1 MB; `nextCursor` continues there.",
  input: ListMemories,
  output: z.object({ memories: z.array(Memory), nextCursor }),
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "list"),

  async read({ input, caller, db }) {
    const page = pageOf("memory", memories.id, input, { field: "body.input.cursor" });
    const tagged = input.tags && input.tags.length > 0 ? arrayContains(memories.tags, input.tags) : undefined;
    const found = await db
      .select({ id: memories.id, bytes: contentBytes })
      .from(memories)
      .where(page.where(allOf(ownMemories(caller), tagged)))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found, thatFit(found.slice(0, input.limit)).length);
    const ids = rows.map((row) => row.id);
    return {
      memories: (await memoriesOf(db, caller, ids)).map((row) => toMemory(row, caller)),
      nextCursor,
    };
  },
});
