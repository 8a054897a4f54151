import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { dropBlobs, isTransfer } from "./rows.ts";

const BATCH = 50;

/** Ends expired transfers: imports that nobody completed, and archives at the end of their lifetime. */
export async function expireTransfers(db: Db): Promise<void> {
  const waiting = inArray(databaseTransfers.status, ["pending", "uploading", "ready"]);
  for (let found = BATCH; found === BATCH; ) {
    found = await db.transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(databaseTransfers)
        .where(
          and(waiting, lt(databaseTransfers.expiresAt, sql`now()`), notFrozen(databaseTransfers.accountId)),
        )
        .limit(BATCH)
        .for("update", { skipLocked: true });
      for (const row of rows) {
        await dropBlobs(tx, row);
        await tx
          .update(databaseTransfers)
          .set({ status: "expired", archive: null })
          .where(and(isTransfer(row.accountId, row.id), eq(databaseTransfers.status, row.status)));
      }
      return rows.length;
    });
  }
}
