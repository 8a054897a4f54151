import { sql } from "drizzle-orm";
import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { defined } from "#server/defined.ts";
import { newId } from "#server/ids.ts";
import { assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { memoryColumns, toMemory } from "./queries.ts";
import { Memory, PutMemory } from "./schema.ts";
import { searchVector } from "./search-vector.ts";

export const putMemory = capability({
  id: "put",
  title: "Put a memory",
  description:
    "Stores a text. With a name, it replaces the memory of that name; without one, it is a new memory.",
  input: PutMemory,
  output: z.object({ memory: Memory }),
  modes: ["invoke", "run"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "put"),

  async handler({ input, caller, tx }) {
    const { content, name = null, tags = [], metadata = {} } = input;
    const assignment = await assignmentOf(tx, caller);
    const space = spaceOf(assignment);
    const words = searchVector(space, [
      { text: name ?? "", weight: "A" },
      { text: tags.join(" "), weight: "B" },
      { text: content, weight: "D" },
    ]);
    const values = { content, tags, metadata, words: sql`${words}::tsvector` };
    const [row] = await tx
      .insert(memories)
      .values({
        ...assignment,
        ...values,
        id: newId("memory"),
        space,
        name,
        updatedAt: sql`clock_timestamp()`,
      })
      .onConflictDoUpdate({
        target: [memories.accountId, memories.space, memories.name],
        targetWhere: sql`name is not null`,
        set: {
          ...values,
          updatedAt: sql`greatest(clock_timestamp(), ${memories.updatedAt} + interval '1 millisecond')`,
        },
      })
      .returning(memoryColumns);
    return { memory: toMemory(defined(row), caller) };
  },
});
