import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { memoryColumns, noSuchMemory, referredMemory, toMemory } from "./queries.ts";
import { Memory, MemoryReference } from "./schema.ts";

export const deleteMemory = capability({
  id: "delete",
  title: "Delete a memory",
  description: "Deletes one memory for good, by its id or its name. Needs an approval of exactly this input.",
  input: MemoryReference,
  output: z.object({ memory: Memory }),
  modes: ["invoke", "run"],
  readOnly: false,
  destructive: true,
  requiresApproval: true,
  price: priceOf("managed-memory", "delete"),

  async handler({ input, caller, tx }) {
    const [row] = await tx.delete(memories).where(referredMemory(caller, input)).returning(memoryColumns);
    if (!row) throw noSuchMemory(input);
    return { memory: toMemory(row, caller) };
  },
});
