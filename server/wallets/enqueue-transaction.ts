import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Transaction } from "#db/client.ts";
import { rowWriter } from "#db/insert-row.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { currentMs } from "#server/base/clock.ts";
import { idOf, newId, newUuidAt, timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { runBatch } from "#server/operation/statement-batch.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import { reservedFunds, type Spend } from "./funds.ts";
import { withFeeRefusal } from "./network-fees.ts";
import { eventOf, type TransactionRow } from "./transactions/move-transaction.ts";

const writeRow = rowWriter(walletTransactions);

type NewTransaction = typeof walletTransactions.$inferInsert;

/** A transaction that a wallet will send. */
export interface TransactionToSend {
  /** Its id, if it must be known beforehand; by default a new one. */
  id?: string;
  wallet: Pick<typeof wallets.$inferSelect, "accountId" | "id" | "projectId" | "endUserId" | "address">;
  chain: Pick<Chain, "network">;
  /** The initiator and their request; null if the platform itself sends. */
  initiator?: Pick<NewTransaction, "callerType" | "callerId" | "keyIds" | "requestId"> | null;
  /** The call to sign. Without `gas`, gas is estimated before signing. */
  call: { to: Address; value: bigint; data: Hex; gas?: bigint };
  /** The amounts that it takes from the wallet; already reserved for the swap or order that it is part of. */
  spends: readonly Spend[];
  /** The transfer in its public form: an address, `native` or a token's address, and whole units. */
  to: string;
  asset: Token["asset"];
  amount: string;
  /** The requested calldata; null if the platform made it. */
  data?: string | null;
  quoteId?: string | null;
  clientReference?: string | null;
  /** The swap or order that continues once it has ended. */
  source?: { type: "swap" | "order"; id: string } | null;
  /** The approval that it waits for: nothing is signed before. */
  approvalId?: string | null;
  /** Credits held under the UUID of its id; charged when it is broadcast, released if it never is. */
  heldCredits?: number;
  /** If not signed by then, it ends as `expired`. */
  expiresAt?: Date | null;
}

/**
 * Stores a transaction that a wallet will send, in the transaction of its cause; once that is committed, it is signed
 * and sent. `platform().wakeUps.send("transactions")` after the commit saves the wait for the next poll. Throws
 * `policy_denied` if its network fee exceeds a limit.
 */
export async function enqueueTransaction(
  tx: Transaction,
  toSend: TransactionToSend,
): Promise<TransactionRow> {
  const { accountId, endUserId } = toSend.wallet;
  const endUser = await endUserNamed(tx, accountId, endUserId);
  const { row, statements, event } = sentTransaction(toSend, endUser);
  await runBatch(tx, statements).catch((reason) => Promise.reject(withFeeRefusal(reason)));
  await emitEvent(tx, event);
  return row;
}

/**
 * Returns the row of a transaction that a wallet will send, the statements that store it and reserve its funds, and its
 * event.
 */
export function sentTransaction(toSend: TransactionToSend, endUser: string | null) {
  const row = transactionRow(toSend);
  const { wallet, chain, spends } = toSend;
  const owner = { type: "transaction", id: row.id } as const;
  const funds = reservedFunds({ wallet, network: chain.network, owner, spends, balances: null });
  return { row, statements: { transaction: enqueuedTransaction(row), funds }, event: eventOf(row, endUser) };
}

/** Returns the row of a transaction that a wallet will send, as it will be stored. */
export function transactionRow(toSend: Omit<TransactionToSend, "spends">): TransactionRow {
  const { wallet, chain, call, source, approvalId = null, id = newId("transaction"), initiator } = toSend;
  const { accountId, projectId, endUserId } = wallet;
  return {
    accountId,
    id,
    projectId,
    endUserId,
    approvalId,
    walletId: wallet.id,
    network: chain.network,
    direction: "out",
    status: approvalId ? "awaiting_approval" : "reserved",
    from: wallet.address,
    to: toSend.to,
    asset: toSend.asset,
    amount: toSend.amount,
    callTo: call.to,
    callValue: String(call.value),
    callData: call.data,
    gas: call.gas ?? null,
    data: toSend.data ?? null,
    quoteId: toSend.quoteId ?? null,
    clientReference: toSend.clientReference ?? null,
    sourceType: source?.type ?? null,
    sourceId: source?.id ?? null,
    callerType: initiator?.callerType ?? null,
    callerId: initiator?.callerId ?? null,
    keyIds: initiator?.keyIds ?? [],
    requestId: initiator?.requestId ?? null,
    heldCredits: toSend.heldCredits ?? 0,
    expiresAt: toSend.expiresAt ?? null,
    createdAt: timeOf(toUuid("transaction", id)),
    chargedCredits: 0,
    nonce: null,
    hash: null,
    attempts: 0,
    failure: null,
    logIndex: -1,
    blockNumber: null,
    blockHash: null,
    reverted: false,
    confirmations: 0,
    feePaid: null,
    signedAt: null,
    broadcastAt: null,
    confirmedAt: null,
    finalizedAt: null,
    endedAt: null,
  };
}

/** Stores a row of `transactionRow`, as a statement of a batch; its result is false if another has its reference. */
export function enqueuedTransaction(row: TransactionRow): SQL {
  return sql`enqueue_transaction(${writeRow(row)}::jsonb)`;
}

/** A wallet's address on a chain. */
export interface Sender {
  accountId: string;
  walletId: string;
  network: string;
  address: string;
}

/**
 * Locks a sender and wakes a worker for it once this is committed. Until then nobody else signs for it or locks it: the
 * transaction's changes become visible together.
 */
export async function lockSender(tx: Transaction, sender: Sender): Promise<void> {
  await tx.execute(sql`select ${lockedSender(sender)}`);
}

/** `lockSender` as a statement of a batch. */
export function lockedSender({ accountId, walletId, network, address }: Sender): SQL {
  return sql`lock_sender(${uuidOf("account", accountId)}, ${uuidOf("wallet", walletId)}, ${network}, ${address})`;
}

/**
 * Returns a time whose ids are later than those of all waiting transactions of a locked sender: they are signed in the
 * order of ids, and the clock that made theirs may be ahead of this process's.
 */
export async function timeAfterWaiting(
  tx: Transaction,
  { accountId, walletId, network }: Omit<Sender, "address">,
): Promise<Date> {
  const [last] = await tx
    .select({ id: walletTransactions.id })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.accountId, accountId),
        eq(walletTransactions.walletId, walletId),
        eq(walletTransactions.network, network),
        eq(walletTransactions.direction, "out"),
        eq(walletTransactions.status, "reserved"),
      ),
    )
    .orderBy(desc(walletTransactions.id))
    .limit(1);
  const after = last ? timeOf(toUuid("transaction", last.id)).getTime() + 1 : 0;
  return new Date(Math.max(currentMs(), after));
}

/** Returns the id of the nth transaction that is sent together from this time on. */
export function idFrom(time: Date, nth: number): string {
  return idOf("transaction", newUuidAt(new Date(time.getTime() + nth)));
}
