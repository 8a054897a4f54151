import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { memoryColumns, noSuchMemory, referredMemory, toMemory } from "./queries.ts";
import { Memory, MemoryReference } from "./schema.ts";

export const getMemory = capability({
  id: "get",
  title: "Get a memory",
  description: "Reads one memory by its id or its name.",
  input: MemoryReference,
  output: z.object({ memory: Memory }),
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "get"),

  async read({ input, caller, db }) {
    const [row] = await db.select(memoryColumns).from(memories).where(referredMemory(caller, input));
    if (!row) throw noSuchMemory(input);
    return { memory: toMemory(row, caller) };
  },
});
