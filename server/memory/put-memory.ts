import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { memories } from "#db/schema/memory.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { quotaExceeded, takenBytes } from "#server/storage/queries.ts";
import { memoryColumns, ownMemories, toMemory } from "./queries.ts";
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
    if (input.ifUpdatedAt !== undefined) await refuseChanged(tx, caller, name, input.ifUpdatedAt);
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
      .returning({
        ...memoryColumns,
        // In the same statement, because no other one sees the replaced memory.
        ...takenBytes(caller.accountId, "memories", sql`memory_bytes(new) - memory_bytes(old)`),
        bytes: sql<number>`(memory_bytes(new) - memory_bytes(old))::int`,
      });
    const { usedBytes, bytes, ...memory } = defined(row);
    if (usedBytes !== null) throw quotaExceeded("memories", Number(usedBytes), bytes);
    publishChange(tx, caller.accountId, "memories");
    return { memory: toMemory(memory, caller) };
  },
});

/** Refuses to replace a memory that is not as it was at this time; locks it until the transaction ends. */
async function refuseChanged(tx: Transaction, caller: Caller, name: string | null, at: string) {
  if (name === null) throw invalid("body.input.ifUpdatedAt", "Needs `name`: a new memory replaces none.");
  const [memory] = await tx
    .select({ updatedAt: memories.updatedAt })
    .from(memories)
    .where(and(ownMemories(caller), eq(memories.name, name)))
    .for("update");
  if (memory?.updatedAt.getTime() === Date.parse(at)) return;
  throw new ApiError(
    "state_conflict",
    memory
      ? `The memory was changed at ${memory.updatedAt.toISOString()}. Read it again, then replace it.`
      : "The memory was deleted. Store it without `ifUpdatedAt` to make a new one.",
  );
}
