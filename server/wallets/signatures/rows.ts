import { and, eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { signatures } from "#db/schema/signatures.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Signature } from "./schema.ts";

/** A signature with the external id of its end user. */
export type SignatureRow = typeof signatures.$inferSelect & { endUser: string | null };

export const signatureWith = ({ accountId, id }: { accountId: string; id: string }): SQL =>
  allOf(eq(signatures.accountId, accountId), eq(signatures.id, id));

/** Signatures as `toSignature` takes them. */
export function selectSignatures(db: Db | Transaction) {
  return db
    .select({ ...getTableColumns(signatures), endUser: endUsers.externalId })
    .from(signatures)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, signatures.accountId), eq(endUsers.id, signatures.endUserId)),
    );
}

/** The wire's form of a row. */
export function toSignature(row: SignatureRow): Signature {
  const { id, walletId, quoteId, kind, payloadHash, display, status, signature, failure, approvalId } = row;
  return {
    id,
    walletId,
    quoteId,
    kind,
    payloadHash,
    display,
    status,
    signature,
    failure,
    approvalId,
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** The event of a signature's new status. */
export function eventOf(row: SignatureRow) {
  const { accountId, projectId, endUserId, id, status } = row;
  const type = `wallet.signature.${status}` as const;
  return { type, accountId, projectId, endUserId, resource: id, data: { signature: toSignature(row) } };
}

/** Publishes a signature's new status, in the transaction of the change. */
export async function emitSignatureEvent(
  tx: Transaction,
  key: { accountId: string; id: string },
): Promise<void> {
  const [row] = await selectSignatures(tx).where(signatureWith(key));
  if (!row) throw new Error(`There is no signature ${key.id}.`);
  await emitEvent(tx, eventOf(row));
}
