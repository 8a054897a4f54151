import { eq, sum } from "drizzle-orm";
import { z } from "zod";
import { storageUsage } from "#db/schema/blobs.ts";
import { keptBytes } from "#db/schema/kept-bytes.ts";
import { databaseBytes } from "#server/databases/queries.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { STORED_KINDS } from "./kinds.ts";
import { Storage } from "./schema.ts";

export const readStorage = operation({
  id: "storage.read",
  method: "GET",
  path: "/storage",
  surfaces: ["console"],
  summary: "Read the account's storage",
  description:
    "The bytes that the account's files, artifacts, transfers, results, database, runs, events, memories and stored workflows take, and their limits.",
  scope: "usage:read",
  output: z.object({ storage: Storage }),

  async handler({ caller, db }) {
    const { storage: budgets } = platform().settings;
    const [rows, kept, database] = await Promise.all([
      db.select().from(storageUsage).where(eq(storageUsage.accountId, caller.accountId)),
      db
        .select({ kind: keptBytes.kind, bytes: sum(keptBytes.bytes).mapWith(Number) })
        .from(keptBytes)
        .where(eq(keptBytes.accountId, caller.accountId))
        .groupBy(keptBytes.kind),
      // The database's cluster may be unreachable; the rest is known all the same.
      databaseBytes(db, caller.accountId).catch(() => null),
    ]);
    const usedBytes = new Map<string, number>([
      ...rows.map(({ kind, usedBytes }) => [kind, usedBytes] as const),
      ...kept.map(({ kind, bytes }) => [kind, bytes] as const),
    ]);
    return {
      storage: STORED_KINDS.map((kind) => ({
        kind,
        usedBytes: kind === "database" ? database : (usedBytes.get(kind) ?? 0),
        budgetBytes: budgets[`${kind}Bytes`],
      })),
    };
  },
});
