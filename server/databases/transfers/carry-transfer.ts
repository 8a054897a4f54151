import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseTransfers, tenantDatabases } from "#db/schema/databases.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { log } from "#server/base/log.ts";
import { keepBlob, keeping, loosenBlob } from "#server/blobs/queries.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import { storable } from "#server/operation/storable.ts";
import { ArchiveFault } from "../archive/read-archive.ts";
import { wasCommitted } from "../commits.ts";
import { findDatabase, tenantOf } from "../queries.ts";
import { keepDatabase, removeDatabase } from "../remove-database.ts";
import { clusterFault } from "../sql-faults.ts";
import { buildArchive } from "./build-export.ts";
import { enqueueTransfer } from "./enqueue.ts";
import { importArchive } from "./import-archive.ts";
import { dropBlobs, isTransfer, type TransferRow, toTransfer } from "./rows.ts";

/** How long a transfer is repeated while a component that it needs is not available, unless its outcome is unknown. */
const OUTAGE_MS = 3_600_000;
/**
 * The pause after all attempts of a time. It grows with the outage, since the transfer itself may crash its cluster.
 */
const LEAST_PAUSE_MS = 10_000;
const PAUSE_SHARE = 1 / 5;
const UNDER_WAY: TransferRow["status"][] = ["building", "validating", "applying"];
/** Of a final export, whose database is to be removed: it was ready, whatever became of its archive since. */
const KEPT: TransferRow["status"][] = ["ready", "cancelled", "expired"];

/**
 * Executes a transfer to its end. May be repeated at any time, also by another worker: an export is then built anew,
 * and an applied import is recognised by its transaction. `last`: no further attempt follows a failure.
 */
export async function carryTransfer(
  db: Db,
  { accountId, id, outageSince }: { accountId: string; id: string; outageSince?: number },
  last: boolean,
): Promise<void> {
  const [row] = await db.select().from(databaseTransfers).where(isTransfer(accountId, id));
  if (!row) return;
  try {
    if (row.status === "building") await buildExport(db, row);
    if (row.final) await removeKept(db, row);
    if (row.status === "validating" || row.status === "applying") {
      const difference = await importArchive(db, row);
      await db.transaction((tx) => end(tx, row, { status: "completed", difference }));
    }
  } catch (reason) {
    const fault = faultOf(reason);
    if (!fault && !last) throw reason;
    // An outage uses up no attempts for good; a transfer that causes it must end.
    const since = outageSince ?? currentMs();
    const waited = currentMs() - since;
    if (isOutage(reason) && (waited < OUTAGE_MS || (await mayBeApplied(db, row)))) {
      if (outageSince === undefined)
        log.warn("A transfer waits for a component that it needs.", { transferId: id, error: reason });
      const delaySeconds = Math.max(LEAST_PAUSE_MS, waited * PAUSE_SHARE) / 1000;
      return enqueueTransfer(db, row, { delaySeconds, outageSince: since });
    }
    if (!fault) log.error("A transfer failed for good.", { transferId: id, error: reason });
    const error = fault ?? {
      code: "internal",
      message: "The platform failed. Start the transfer again.",
      entry: null,
    };
    await fail(db, row, error);
  }
}

/** True if an import may be committed: only its cluster can tell, however long it is away. */
async function mayBeApplied(db: Db, { accountId, id }: TransferRow): Promise<boolean> {
  const [row] = await db
    .select({ transactionId: databaseTransfers.transactionId })
    .from(databaseTransfers)
    .where(isTransfer(accountId, id));
  return row !== undefined && row.transactionId !== null;
}

async function fail(db: Db, row: TransferRow, error: TransferRow["error"]): Promise<void> {
  await db.transaction(async (tx) => {
    // The export failed, so the database is not removed but put back into use.
    if ((await end(tx, row, { status: "failed", error })) && row.final) await keepDatabase(tx, row.accountId);
  });
}

/** Ends transfers without a job, since their last attempt died with its process. */
export async function endAbandonedTransfers(db: Db): Promise<void> {
  const open = await db.select().from(databaseTransfers).where(inArray(databaseTransfers.status, UNDER_WAY));
  const kept = await db
    .select(getTableColumns(databaseTransfers))
    .from(databaseTransfers)
    .innerJoin(tenantDatabases, eq(tenantDatabases.accountId, databaseTransfers.accountId))
    .where(
      and(
        databaseTransfers.final,
        inArray(databaseTransfers.status, KEPT),
        eq(tenantDatabases.status, "deprovisioning"),
      ),
    );
  // Read afterwards: the job of a transfer that has begun since is included.
  const jobs = await db.execute<{ id: string }>(sql`
    select job.payload ->> 'id' as id from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'carryTransfer' and (job.locked_at is not null or job.attempts < job.max_attempts)`);
  const carried = new Set(jobs.map(({ id }) => id));
  for (const row of kept.filter(({ id }) => !carried.has(id))) await removeKept(db, row);
  for (const row of open.filter(({ id }) => !carried.has(id))) {
    const isApplied = row.transactionId !== null && (await wasApplied(db, row, row.transactionId));
    log.error("A transfer's last attempt went down with its process.", { transferId: row.id, isApplied });
    if (isApplied) await db.transaction((tx) => end(tx, row, { status: "completed" }));
    else
      await fail(db, row, {
        code: "internal",
        message: "The platform was stopped in each attempt at it. Start the transfer again.",
        entry: null,
      });
  }
}

async function wasApplied(db: Db, { accountId }: TransferRow, transactionId: string): Promise<boolean> {
  const found = await findDatabase(db, accountId);
  return found !== null && wasCommitted(tenantOf(found), transactionId);
}

/** True if a component is not available, or does not yet say whether an import was committed. */
function isOutage(reason: unknown): boolean {
  const fault = clusterFault(reason);
  if (isPlatformFault(fault)) return true;
  return (
    fault instanceof ApiError && (fault.code === "service_unavailable" || fault.operationState === "unknown")
  );
}

/** Returns the fault of the archive or the database; null if another attempt may succeed. */
function faultOf(reason: unknown): TransferRow["error"] {
  if (reason instanceof ArchiveFault)
    return {
      code: "invalid_archive",
      message: storable(reason.message, 1000),
      entry: reason.entry && storable(reason.entry, 300),
    };
  if (reason instanceof ApiError && reason.status < 500 && reason.code !== "service_rate_limited")
    return { code: reason.code, message: reason.message, entry: null };
  return null;
}

async function buildExport(db: Db, row: TransferRow): Promise<void> {
  const found = await findDatabase(db, row.accountId);
  if (!found) throw new ApiError("state_conflict", "The database was deprovisioned.");
  const blob = await buildArchive(row, found);
  const isKept = await keeping(blob, () =>
    db.transaction(async (tx) => {
      const isReady = await end(tx, row, { status: "ready", archive: blob });
      if (isReady) await keepBlob(tx, blob);
      return isReady;
    }),
  );
  // Cancelled meanwhile.
  if (!isKept) await loosenBlob(blob.key);
}

/** Removes the database whose final archive is ready: an earlier attempt may have died before that. */
async function removeKept(db: Db, { accountId, id }: TransferRow): Promise<void> {
  const [kept] = await db
    .select()
    .from(databaseTransfers)
    .where(and(isTransfer(accountId, id), inArray(databaseTransfers.status, KEPT)));
  const found = await findDatabase(db, accountId);
  // A database that was provisioned since is another one.
  if (kept && found?.status === "deprovisioning" && found.createdAt < kept.createdAt)
    await removeDatabase(db, found);
}

type Ending = Partial<Pick<TransferRow, "status" | "archive" | "difference" | "error">>;

/** Ends the transfer unless it has ended already; returns whether it did. */
async function end(tx: Transaction, row: TransferRow, ending: Ending): Promise<boolean> {
  const [locked] = await tx
    .select({ status: databaseTransfers.status })
    .from(databaseTransfers)
    .where(isTransfer(row.accountId, row.id))
    .for("update");
  if (!locked || !UNDER_WAY.includes(locked.status)) return false;
  const { status, archive = null, difference = null, error = null } = ending;
  const [ended] = await tx
    .update(databaseTransfers)
    .set({
      status,
      difference,
      error,
      archive: archive && { key: archive.key, sizeBytes: archive.sizeBytes, sha256: archive.sha256 },
    })
    .where(and(isTransfer(row.accountId, row.id), eq(databaseTransfers.direction, row.direction)))
    .returning();
  // The parts of an import are no longer needed.
  await dropBlobs(tx, row);
  await emitEvent(tx, {
    type: status === "failed" ? "database.transfer.failed" : "database.transfer.completed",
    accountId: row.accountId,
    projectId: null,
    endUserId: null,
    resource: row.id,
    data: { transfer: toTransfer(defined(ended), []) },
  });
  return true;
}
