import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { z } from "zod";
import { afterCommit, type Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { releaseHold } from "#server/credits/hold-credits.ts";
import type { EventType } from "#server/events/catalogue.ts";
import { emitEvent, type NewEvent, tellOfEvent } from "#server/events/emit-event.ts";
import { uuidOf } from "#server/ids.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import { releaseCap } from "../caps.ts";
import type { Transaction as WireTransaction } from "./schema.ts";

export type TransactionRow = typeof walletTransactions.$inferSelect;

/** The times among a row's columns. */
type Instant = "signedAt" | "broadcastAt" | "confirmedAt" | "finalizedAt" | "endedAt";

/** What is to be another: plain values, and `now` for the time of the database's transaction. */
export type Change = Partial<Omit<TransactionRow, Instant>> & Partial<Record<Instant, Date | "now" | null>>;

/** A row that is to change. */
export interface Move {
  row: TransactionRow;
  change: Change;
}

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
  await emitEvent(tx, eventOf(row, await endUserNamed(tx, row.accountId, row.endUserId)));
}

/** The event of what has become of a transaction. */
export function eventOf(row: TransactionRow, endUser: string | null): NewEvent {
  const { accountId, projectId, endUserId, id } = row;
  const data = { transaction: toTransaction(row, endUser) };
  return { type: eventType(row), accountId, projectId, endUserId, resource: id, data };
}

function eventType({ direction, status }: TransactionRow): EventType {
  const arrived = direction === "in" && status === "confirmed";
  return arrived ? "wallet.deposit.confirmed" : `wallet.transaction.${status}`;
}

/** As `moveTransactions`, of one. */
export async function moveTransaction(
  tx: Transaction,
  row: TransactionRow,
  change: Change,
): Promise<TransactionRow> {
  const [moved] = await moveTransactions(tx, [{ row, change }]);
  return moved as TransactionRow;
}

/**
 * Changes transactions, all by one statement, and does what a new status brings: its event, credits and caps, and what
 * goes on after it. Answers the rows in the order of the moves.
 */
export async function moveTransactions(tx: Transaction, moves: readonly Move[]): Promise<TransactionRow[]> {
  const moved = moves.length === 0 ? [] : await updateRows(tx, moves.map(withEnd));
  const byId = new Map(moved.map((one) => [one.row.id, one]));
  return Promise.all(
    moves.map(async ({ row: before }) => {
      const { row, heard } = byId.get(before.id) ?? {};
      if (!row) throw new Error(`There is no transaction ${before.id}.`);
      if (row.status !== before.status) await follow(tx, row, heard === true);
      return row;
    }),
  );
}

const hasEnded = ({ status }: Pick<Change, "status">) => status !== undefined && ENDED.includes(status);

const withEnd = ({ row, change }: Move): Move => ({
  row,
  change: hasEnded(change) ? { ...change, endedAt: "now" } : change,
});

/** The changed rows, and of each whether its account hears of events. */
async function updateRows(tx: Transaction, moves: readonly Move[]) {
  const changes = moves.map(({ row, change }) => ({
    account: uuidOf("account", row.accountId),
    id: uuidOf("transaction", row.id),
    change: Object.fromEntries(Object.entries(change).map(([name, value]) => [toSnakeCase(name), value])),
  }));
  const columns = new Set(moves.flatMap(({ change }) => Object.keys(change)));
  const update = [...columns].map((name) => [name, sql`(moved.anew).${sql.identifier(toSnakeCase(name))}`]);
  const { accountId, id } = walletTransactions;
  const rows = await tx
    .update(walletTransactions)
    .set(Object.fromEntries(update))
    .from(sql`(
      select t.account_id, t.id, jsonb_populate_record(t, c.change) as anew
      from jsonb_to_recordset(${JSON.stringify(changes, jsonOf)}::jsonb) as c(account uuid, id uuid, change jsonb)
      join wallet_transactions t on t.account_id = c.account and t.id = c.id) moved`)
    .where(and(eq(accountId, sql`moved.account_id`), eq(id, sql`moved.id`)))
    .returning({ row: getTableColumns(walletTransactions), heard: sql<boolean>`wants_events(${accountId})` });
  return rows;
}

const jsonOf = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

async function follow(tx: Transaction, row: TransactionRow, heard: boolean): Promise<void> {
  if (heard) await announceTransaction(tx, row);
  else afterCommit(tx, () => tellOfEvent({ accountId: row.accountId, type: eventType(row) }, false));
  const ends = hasEnded(row);
  if (ends && row.status !== "confirmed") await giveBack(tx, row);
  const tells = ends || row.status === "broadcast";
  if (tells && row.sourceType && row.sourceId) await wakeSource(tx, row.sourceType, row);
}

/** Where the credits of a transaction are set aside. */
export const holdOf = ({ accountId, id }: TransactionRow) => ({
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
