import { and, asc, gt } from "drizzle-orm";
import { z } from "zod";
import { memories } from "#db/schema/memory.ts";
import { Artifact } from "#server/artifacts/schema.ts";
import { idOf, NIL_UUID } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { memoryColumns, ownMemories, toMemory } from "./queries.ts";

const BATCH = 50;

export const exportMemories = capability({
  id: "export",
  title: "Export memories",
  description:
    "Writes every memory of the account, project and end user into one artifact, oldest first, as one line of JSON each. Available in runs only.",
  input: z.strictObject({}),
  output: z.object({ artifact: Artifact }),
  modes: ["run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "export"),

  async run({ caller, artifact }) {
    const content = linesOf(caller);
    return {
      artifact: await artifact("export", {
        name: "memories.ndjson",
        mediaType: "application/x-ndjson",
        content,
      }),
    };
  },
});

/** Reads in batches, so that memory use does not grow with the number of memories. */
async function* linesOf(caller: Caller): AsyncGenerator<Uint8Array> {
  const { db } = platform().database;
  for (let last = idOf("memory", NIL_UUID); ; ) {
    const rows = await db
      .select(memoryColumns)
      .from(memories)
      .where(and(ownMemories(caller), gt(memories.id, last)))
      .orderBy(asc(memories.id))
      .limit(BATCH);
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => `${JSON.stringify(toMemory(row, caller))}\n`).join(""));
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}
