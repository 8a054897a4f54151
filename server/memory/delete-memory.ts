import { sql } from "drizzle-orm";
import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { quoted } from "#server/operation/shown-text.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { takenBytes } from "#server/storage/queries.ts";
import { memoryColumns, noSuchMemory, referredMemory, toMemory } from "./queries.ts";
import { Memory, MemoryReference } from "./schema.ts";

const WHEN = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export const deleteMemory = capability({
  id: "delete",
  title: "Delete a memory",
  description:
    "Permanently deletes one memory, by its id or its name. Needs an approval of exactly this input.",
  input: MemoryReference,
  output: z.object({ memory: Memory }),
  modes: ["invoke", "run"],
  readOnly: false,
  destructive: true,
  requiresApproval: true,
  price: priceOf("managed-memory", "delete"),

  async summarize({ input, caller, db }) {
    const [row] = await db
      .select({ name: memories.name, content: memories.content, updatedAt: memories.updatedAt })
      .from(memories)
      .where(referredMemory(caller, input));
    const named = "name" in input ? quoted(input.name) : (row?.name && quoted(row.name)) || quoted(input.id);
    if (!row) return `Delete the memory ${named} for good. There is no such memory now.`;
    const size = [...row.content].length.toLocaleString("en");
    return `Delete the memory ${named} for good: ${size} characters, last changed on ${WHEN.format(row.updatedAt)} UTC.`;
  },

  async changes({ input, caller, db }) {
    const [row] = await db
      .select({
        name: memories.name,
        characters: sql<number>`char_length(${memories.content})`,
        tags: memories.tags,
      })
      .from(memories)
      .where(referredMemory(caller, input));
    if (!row) return [];
    const facts: [name: string, value: string][] = [
      ["Memory", row.name ?? "without a name"],
      ["Characters", row.characters.toLocaleString("en")],
      ["Tags", row.tags.length.toLocaleString("en")],
    ];
    return facts.map(([name, before]) => ({ name, before, after: null }));
  },

  async handler({ input, caller, tx }) {
    const [row] = await tx
      .delete(memories)
      .where(referredMemory(caller, input))
      .returning({ ...memoryColumns, ...takenBytes(caller.accountId, "memories", sql`-memory_bytes(old)`) });
    if (!row) throw noSuchMemory(input);
    const { usedBytes: _, ...memory } = row;
    publishChange(tx, caller.accountId, "memories");
    return { memory: toMemory(memory, caller) };
  },
});
