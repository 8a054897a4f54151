import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { keepBlob } from "#server/blobs/queries.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { log } from "#server/log.ts";
import { ApiError } from "#server/operation/errors.ts";
import { ArchiveFault } from "../archive/read-archive.ts";
import { findDatabase } from "../queries.ts";
import { keepDatabase, removeDatabase } from "../remove-database.ts";
import { buildArchive } from "./build-export.ts";
import { importArchive } from "./import-archive.ts";
import { dropBlobs, isTransfer, type TransferRow, toTransfer } from "./rows.ts";

/**
 * Carries a transfer to its end. May be begun again at any time, by another worker too: an export is then built anew,
 * and an import that was applied is known by its transaction. `last`: no further attempt follows a failure.
 */
export async function carryTransfer(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
  last: boolean,
): Promise<void> {
  const [row] = await db.select().from(databaseTransfers).where(isTransfer(accountId, id));
  if (!row) return;
  try {
    if (row.status === "building") await buildExport(db, row);
    if (row.status === "validating" || row.status === "applying") {
      const difference = await importArchive(db, row);
      await db.transaction((tx) => end(tx, row, { status: "completed", difference }));
    }
  } catch (reason) {
    const fault = faultOf(reason);
    if (!fault && !last) throw reason;
    if (!fault) log.error("A transfer failed for good.", { transfer: id, error: reason });
    const error = fault ?? {
      code: "internal",
      message: "The platform failed. Start the transfer again.",
      entry: null,
    };
    await db.transaction(async (tx) => {
      // What could not be kept is not removed: the database comes back into use.
      if ((await end(tx, row, { status: "failed", error })) && row.final) await keepDatabase(tx, accountId);
    });
  }
}

/** What of a failure is the archive's or the database's own; null where another attempt may do better. */
function faultOf(reason: unknown): TransferRow["error"] {
  if (reason instanceof ArchiveFault)
    return { code: "invalid_archive", message: reason.message, entry: reason.entry };
  if (reason instanceof ApiError && reason.status < 500 && reason.code !== "service_rate_limited")
    return { code: reason.code, message: reason.message, entry: null };
  return null;
}

async function buildExport(db: Db, row: TransferRow): Promise<void> {
  const found = await findDatabase(db, row.accountId);
  if (!found) throw new ApiError("state_conflict", "The database was deprovisioned.");
  const blob = await buildArchive(row, found);
  await db.transaction(async (tx) => {
    // Cancelled meanwhile: the blob stays loose and is swept.
    if (await end(tx, row, { status: "ready", archive: blob })) await keepBlob(tx, blob);
  });
  if (row.final) await removeDatabase(db, found);
}

type Ending = Partial<Pick<TransferRow, "status" | "archive" | "difference" | "error">>;

/** Ends the transfer where nothing else has ended it since; answers whether it did. */
async function end(tx: Transaction, row: TransferRow, ending: Ending): Promise<boolean> {
  const [locked] = await tx
    .select({ status: databaseTransfers.status })
    .from(databaseTransfers)
    .where(isTransfer(row.accountId, row.id))
    .for("update");
  const open = ["building", "validating", "applying"].includes(locked?.status ?? "");
  if (!open) return false;
  const { status, archive = null, difference = null, error = null } = ending;
  const [ended] = await tx
    .update(databaseTransfers)
    .set({
      ...{ status, difference, error },
      archive: archive && { key: archive.key, sizeBytes: archive.sizeBytes, sha256: archive.sha256 },
    })
    .where(and(isTransfer(row.accountId, row.id), eq(databaseTransfers.direction, row.direction)))
    .returning();
  // An import's parts have done their work.
  await dropBlobs(tx, row);
  await emitEvent(tx, {
    type: status === "failed" ? "database.transfer.failed" : "database.transfer.completed",
    ...{ accountId: row.accountId, projectId: null, endUserId: null, resource: row.id },
    data: { transfer: toTransfer(ended as TransferRow, []) },
  });
  return true;
}
