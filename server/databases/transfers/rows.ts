import { and, asc, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseTransferParts, databaseTransfers } from "#db/schema/databases.ts";
import { dropBlob } from "#server/blobs/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { refuseBound } from "../queries.ts";
import type { Transfer } from "./schema.ts";

export type TransferRow = typeof databaseTransfers.$inferSelect;
export type PartRow = typeof databaseTransferParts.$inferSelect;

/** Returns the condition for one transfer. */
export const isTransfer = (accountId: string, id: string) =>
  and(eq(databaseTransfers.accountId, accountId), eq(databaseTransfers.id, id));

const partsOf = (accountId: string, id: string) =>
  and(eq(databaseTransferParts.accountId, accountId), eq(databaseTransferParts.transferId, id));

/** Returns the account's transfer with this id; `lock` locks it until the transaction ends. */
export async function findTransfer(
  db: Db | Transaction,
  caller: Caller,
  id: string,
  lock = false,
): Promise<TransferRow> {
  refuseBound(caller);
  const query = db.select().from(databaseTransfers).where(isTransfer(caller.accountId, id));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound("transfer", id);
  return row;
}

/** Returns the received parts, by number. */
export function listParts(db: Db | Transaction, { accountId, id }: TransferRow): Promise<PartRow[]> {
  return db
    .select()
    .from(databaseTransferParts)
    .where(partsOf(accountId, id))
    .orderBy(asc(databaseTransferParts.partNumber));
}

/** Makes all blobs of a transfer loose, in the transaction that ends it. */
export async function dropBlobs(tx: Transaction, row: TransferRow): Promise<void> {
  const parts = await tx.delete(databaseTransferParts).where(partsOf(row.accountId, row.id)).returning();
  for (const { blobKey } of parts) await dropBlob(tx, blobKey);
  if (row.archive) await dropBlob(tx, row.archive.key);
}

/** Returns a row and its parts in their public form. */
export function toTransfer(row: TransferRow, parts: readonly PartRow[]): Transfer {
  const { id, direction, status, dryRun, archive, error } = row;
  return {
    id,
    direction,
    status,
    dryRun,
    error,
    difference: row.difference,
    parts: parts.map(({ partNumber, sizeBytes, sha256 }) => ({ partNumber, sizeBytes, sha256 })),
    archive: archive && { sizeBytes: archive.sizeBytes, sha256: archive.sha256 },
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
