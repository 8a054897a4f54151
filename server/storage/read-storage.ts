import { eq } from "drizzle-orm";
import { z } from "zod";
import { storageUsage } from "#db/schema/blobs.ts";
import { databaseBytes } from "#server/databases/queries.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { STORED_KINDS, Storage } from "./schema.ts";

export const readStorage = operation({
  id: "storage.read",
  method: "GET",
  path: "/storage",
  surfaces: ["console"],
  summary: "Read what is kept on disk",
  description: "What the account's files, artifacts, transfers, results and database take, and may take.",
  scope: "usage:read",
  output: z.object({ storage: Storage }),

  async handler({ caller, db }) {
    const { storage: budgets } = platform().settings;
    const [rows, database] = await Promise.all([
      db.select().from(storageUsage).where(eq(storageUsage.accountId, caller.accountId)),
      // Its cluster may be away; the rest is known all the same.
      databaseBytes(db, caller.accountId).catch(() => null),
    ]);
    const used = (kind: string) => rows.find((row) => row.kind === kind)?.usedBytes ?? 0;
    return {
      storage: STORED_KINDS.map((kind) => ({
        kind,
        usedBytes: kind === "database" ? database : used(kind),
        budgetBytes: budgets[`${kind}Bytes`],
      })),
    };
  },
});
