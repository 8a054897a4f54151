import { and, eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { captureHold, releaseHold } from "#server/credits/hold-credits.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { uuidOf } from "#server/ids.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import { releaseCap } from "../caps.ts";
import type { Transaction as WireTransaction } from "./schema.ts";

export type TransactionRow = typeof walletTransactions.$inferSelect;
type Change = PgUpdateSetSource<typeof walletTransactions> & { status?: TransactionRow["status"] };

const ENDED: readonly TransactionRow["status"][] = [
  "confirmed",
  "failed",
  "rejected",
  "cancelled",
  "expired",
];

/** The wire's form of a row. */
export function toTransaction(row: TransactionRow, endUser: string | null): z.input<typeof WireTransaction> {
  const { id, walletId, direction, quoteId, clientReference, network, from, to, asset, amount, data } = row;
  const { status, failure, approvalId, hash, nonce, attempts, feePaid, blockNumber, confirmations } = row;
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    ...{ id, walletId, direction, quoteId, clientReference, network, from, to, asset, amount, data },
    ...{ status, failure, approvalId, hash, nonce, attempts, feePaid, blockNumber, confirmations },
    chargedCredits: row.chargedCredits,
    projectId: row.projectId,
    endUser,
    createdAt: row.createdAt.toISOString(),
    signedAt: time(row.signedAt),
    broadcastAt: time(row.broadcastAt),
    confirmedAt: time(row.confirmedAt),
    finalizedAt: time(row.finalizedAt),
    endedAt: time(row.endedAt),
  };
}

/** Tells the account's webhooks what has become of a transaction, in the transaction of the change. */
export async function announceTransaction(tx: Transaction, row: TransactionRow): Promise<void> {
  const { accountId, projectId, endUserId, id } = row;
  const endUser = await endUserNamed(tx, accountId, endUserId);
  const arrived = row.direction === "in" && row.status === "confirmed";
  const type = arrived ? "wallet.deposit.confirmed" : (`wallet.transaction.${row.status}` as const);
  await emitEvent(tx, {
    ...{ type, accountId, projectId, endUserId, resource: id },
    data: { transaction: toTransaction(row, endUser) },
  });
}

/** Changes a transaction and does what a new status brings: its event, credits and caps, and what goes on after it. */
export async function moveTransaction(
  tx: Transaction,
  row: TransactionRow,
  change: Change,
): Promise<TransactionRow> {
  const ends = change.status !== undefined && ENDED.includes(change.status);
  const [moved] = await tx
    .update(walletTransactions)
    .set({ ...change, ...(ends && { endedAt: sql`clock_timestamp()` }) })
    .where(and(eq(walletTransactions.accountId, row.accountId), eq(walletTransactions.id, row.id)))
    .returning();
  if (!moved) throw new Error(`There is no transaction ${row.id}.`);
  if (moved.status === row.status) return moved;
  await announceTransaction(tx, moved);
  if (ends && moved.status !== "confirmed") await giveBack(tx, moved);
  const tells = ends || moved.status === "broadcast";
  if (tells && moved.sourceType && moved.sourceId) await wakeSource(tx, moved.sourceType, moved);
  return moved;
}

/** Charges what was set aside, when the chain has taken the transaction for the first time. */
export async function chargeTransaction(tx: Transaction, row: TransactionRow): Promise<void> {
  if (row.heldCredits > 0) await captureHold(tx, holdOf(row), row.heldCredits, 1);
}

const holdOf = ({ accountId, id }: TransactionRow) => ({
  accountId,
  id: uuidOf("transaction", id) as string,
});

/** What did not leave the wallet counts against no cap; what never came to the chain costs nothing. */
async function giveBack(tx: Transaction, row: TransactionRow): Promise<void> {
  await releaseCap(tx, { accountId: row.accountId, subject: row.id });
  if (row.heldCredits > 0 && row.chargedCredits === 0) await releaseHold(tx, holdOf(row));
}

async function wakeSource(
  tx: Transaction,
  type: "swap" | "order",
  { accountId, sourceId }: TransactionRow,
): Promise<void> {
  const task = type === "swap" ? "advanceSwap" : "advanceOrder";
  await tx.execute(sql`select graphile_worker.add_job(${task}, ${JSON.stringify({ accountId, id: sourceId })}::json,
    job_key => ${`${task}/${sourceId}`})`);
}
