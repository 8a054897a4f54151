import { sql } from "drizzle-orm";
import type { z } from "zod";
import { afterCommit, type Transaction } from "#db/client.ts";
import { columnNames } from "#db/column-names.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { EventType } from "#server/events/catalogue.ts";
import { emitEvent, type NewEvent, publishEvent } from "#server/events/emit-event.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { type DecodedCall, decodeCalls } from "#server/wallets/decode/calls.ts";
import { decodeCall } from "#server/wallets/decode-call.ts";
import { describeEffects } from "#server/wallets/describe-effects.ts";
import type { Transaction as WireTransaction } from "./schema.ts";

export type TransactionRow = typeof walletTransactions.$inferSelect;

/** A change of a stored transaction, as an argument of `move_transactions`. */
type Changing =
  | ("status" | "nonce" | "gas" | "hash" | "attempts" | "failure" | "blockNumber" | "blockHash" | "reverted")
  | ("confirmations" | "feePaid" | "chargedCredits" | "expiresAt")
  | ("signedAt" | "broadcastAt" | "confirmedAt" | "finalizedAt" | "endedAt");

/** The columns that change. */
export type TransactionChange = Partial<Pick<TransactionRow, Changing>>;

/** A row that is to change. */
export interface Move {
  row: TransactionRow;
  change: TransactionChange;
  /** The intermediate row, which is published too, if two transitions happen in one commit. */
  between?: TransactionRow | undefined;
}

const NAMES = columnNames(walletTransactions);
const ENDED: readonly TransactionRow["status"][] = [
  "confirmed",
  "failed",
  "rejected",
  "cancelled",
  "expired",
];

/** Describes the effects of a transaction, which are past if it is confirmed: in words, and call by call. */
function decodedOf(row: TransactionRow): { summary: string; calls: DecodedCall[] } {
  const chain = platform().chains.find(row.network);
  const token = chain?.tokens.find(({ asset }) => asset === row.asset);
  const amount = `${row.amount} ${token?.symbol ?? row.asset}`;
  if (row.direction === "in") return { summary: `Received ${amount} from ${row.from}`, calls: [] };
  const done = row.status === "confirmed";
  // Of a chain that the operator has removed since, the contracts and tokens are unknown.
  if (!chain || !row.callTo)
    return { summary: `${done ? "Sent" : "Send"} ${amount} to ${row.to}`, calls: [] };
  const { from, callTo: to, callData } = row;
  const call = { chain, from, to, value: BigInt(row.callValue ?? 0), data: callData ?? "0x" } as const;
  const { effects } = decodeCall(call);
  return {
    summary: describeEffects(effects, chain.tokens, done ? "past" : "present"),
    calls: decodeCalls(call),
  };
}

/** Returns a transaction in its public form. */
export function toTransaction(row: TransactionRow, endUser: string | null): z.input<typeof WireTransaction> {
  const { id, walletId, direction, quoteId, clientReference, network, from, to, asset, amount, data } = row;
  const { status, failure, approvalId, hash, nonce, attempts, feePaid, blockNumber, confirmations } = row;
  const { sourceType: type, sourceId } = row;
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    walletId,
    direction,
    quoteId,
    clientReference,
    network,
    from,
    to,
    asset,
    amount,
    data,
    ...decodedOf(row),
    source: type && sourceId ? { type, id: sourceId } : null,
    status,
    failure,
    approvalId,
    hash,
    nonce,
    attempts,
    feePaid,
    blockNumber,
    confirmations,
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

/** Returns the event of a transaction's new status. */
export function eventOf(row: TransactionRow, endUser: string | null): NewEvent {
  const { accountId, projectId, endUserId, id } = row;
  const data = { transaction: toTransaction(row, endUser) };
  return { type: eventType(row), accountId, projectId, endUserId, resource: id, data };
}

export function eventType({ direction, status }: TransactionRow): EventType {
  const arrived = direction === "in" && status === "confirmed";
  return arrived ? "wallet.deposit.confirmed" : `wallet.transaction.${status}`;
}

/** Changes a transaction, with the consequences of a new status. Returns the changed row. */
export async function moveTransaction(
  tx: Transaction,
  row: TransactionRow,
  change: TransactionChange,
): Promise<TransactionRow> {
  const move = withEnd({ row, change });
  const stored = storedMove(move);
  const { account, unhold } = stored;
  const closed = unhold ? [{ account, id: unhold, credits: 0 }] : [];
  const [done] = await tx.execute<{ listening: string[] }>(
    sql`select move_transactions(${JSON.stringify([stored])}::jsonb) as listening, ledger_close_all(${JSON.stringify(closed)}::jsonb)`,
  );
  const hasWebhooks = done !== undefined && done.listening.length > 0;
  for (const step of stepsOf(move)) {
    if (hasWebhooks)
      await emitEvent(tx, eventOf(step, await endUserNamed(tx, step.accountId, step.endUserId)));
    else afterCommit(tx, () => publishEvent({ accountId: step.accountId, type: eventType(step) }, false));
  }
  return movedRow(move);
}

const hasEnded = ({ status }: Pick<TransactionChange, "status">) =>
  status !== undefined && ENDED.includes(status);

/** Returns the move with the time of its end, if it ends. */
export const withEnd = (move: Move): Move =>
  hasEnded(move.change) && !move.change.endedAt
    ? { ...move, change: { ...move.change, endedAt: currentTime() } }
    : move;

/** Returns the row after a move. */
export const movedRow = ({ row, change }: Move): TransactionRow => ({ ...row, ...change });

/** Returns the rows that a move publishes, in order. */
export function stepsOf(move: Move): TransactionRow[] {
  const after = movedRow(move);
  return after.status === move.row.status ? [] : [...(move.between ? [move.between] : []), after];
}

/** Returns a move as an argument of `move_transactions`. */
export function storedMove(move: Move) {
  const { row, change } = move;
  const after = movedRow(move);
  const moves = after.status !== row.status;
  const ends = moves && hasEnded(after);
  // Releases reservations: an amount that did not leave the wallet counts against no cap; a transaction that was never
  // broadcast costs nothing.
  const fails = ends && after.status !== "confirmed";
  const wakes = row.sourceType && row.sourceId && (ends || (moves && after.status === "broadcast"));
  const columns = Object.entries(change).map(([name, value]) => [
    NAMES[name],
    typeof value === "bigint" ? String(value) : value,
  ]);
  return {
    account: uuidOf("account", row.accountId),
    id: uuidOf("transaction", row.id),
    change: Object.fromEntries(columns),
    uncap: fails ? row.id : null,
    // A failed transaction may succeed after a reorganisation.
    recap: hasEnded(row) && row.status !== "confirmed" && after.status === "broadcast" ? row.id : null,
    // The unspent reservation returns to its order.
    returns: fails && row.sourceType === "order" ? uuidOf("order", defined(row.sourceId)) : null,
    unhold:
      fails && after.heldCredits > 0 && after.chargedCredits === 0 ? uuidOf("transaction", row.id) : null,
    wakes: wakes ? jobOf(row) : null,
  };
}

/** Returns the job that continues the swap or order of a transaction. */
function jobOf({ accountId, sourceType, sourceId }: TransactionRow) {
  const task = sourceType === "swap" ? "advanceSwap" : "advanceOrder";
  return { task, payload: { accountId, id: sourceId }, key: `${task}/${sourceId}` };
}
