import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Transaction } from "#db/client.ts";
import { rowWriter } from "#db/insert-row.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import type { wallets } from "#db/schema/wallets.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { idOf, newId, newUuidAt, timeOf, toUuid, uuidOf } from "#server/ids.ts";
import { runBatch } from "#server/operation/statement-batch.ts";
import { endUserNamed } from "#server/operation/tenancy.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { reservedFunds, type Spend } from "./funds.ts";
import { withFeeRefusal } from "./network-fees.ts";
import { eventOf, type TransactionRow } from "./transactions/move-transaction.ts";

const writeRow = rowWriter(walletTransactions);

type NewTransaction = typeof walletTransactions.$inferInsert;

/** What a wallet is to send. */
export interface TransactionToSend {
  /** Where it must be known before; by default a new one. */
  id?: string;
  wallet: Pick<typeof wallets.$inferSelect, "accountId" | "id" | "projectId" | "endUserId" | "address">;
  chain: Pick<Chain, "network">;
  /** Who asked for it, and by which request; null where the platform itself sends. */
  initiator?: Pick<NewTransaction, "callerType" | "callerId" | "keyIds" | "requestId"> | null;
  /** What is signed. Without `gas` it is estimated before signing. */
  call: { to: Address; value: bigint; data: Hex; gas?: bigint };
  /** What it takes of the wallet, which was promised to what it comes from. */
  spends: readonly Spend[];
  /** What it moves, as the wire shows it: an address, `native` or a token's address, and whole units. */
  to: string;
  asset: string;
  amount: string;
  /** The calldata that somebody asked for; null where the platform made it. */
  data?: string | null;
  quoteId?: string | null;
  clientReference?: string | null;
  /** What goes on once it has ended: `advanceSwap` or `advanceOrder` with this id. */
  source?: { type: "swap" | "order"; id: string } | null;
  /** Set where it waits for people: then nothing is signed before the approval lets it. */
  approvalId?: string | null;
  /** Credits that are held under the UUID of its id; charged when it is broadcast, given back if it never is. */
  heldCredits?: number;
  /** Not signed by then, it ends as `expired`. */
  expiresAt?: Date | null;
}

/**
 * Writes down what a wallet is to send, in the transaction of whatever causes it; it is signed and sent as soon as that
 * is committed. `platform().wakeUps.send("transactions")` after the commit saves it the wait for the next poll. Throws
 * `policy_denied` where the network may not take so much for it.
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

/** Returns the row of what a wallet is to send, the statements that write it down and reserve what it takes, and its event. */
export function sentTransaction(toSend: TransactionToSend, endUser: string | null) {
  const row = transactionRow(toSend);
  const { wallet, chain, spends } = toSend;
  const owner = { type: "transaction", id: row.id } as const;
  const funds = reservedFunds({ wallet, network: chain.network, owner, spends, balances: null });
  return { row, statements: { transaction: enqueuedTransaction(row), funds }, event: eventOf(row, endUser) };
}

/** The row of what a wallet is to send, as it will be stored. */
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

/** Writing down a row of `transactionRow`, as a statement of a batch; its answer is false where another has its reference. */
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
 * Has somebody look after what a wallet sends on a chain, as soon as this is committed. Until then nobody signs for it, or
 * locks it too: what the transaction writes is seen as one.
 */
export async function lockSender(tx: Transaction, sender: Sender): Promise<void> {
  await tx.execute(sql`select ${lockedSender(sender)}`);
}

/** `lockSender` as a statement of a batch. */
export function lockedSender({ accountId, walletId, network, address }: Sender): SQL {
  return sql`lock_sender(${uuidOf("account", accountId)}, ${uuidOf("wallet", walletId)}, ${network}, ${address})`;
}

/**
 * The time from which on ids are later than those of all that waits at a sender, which is locked: what waits is signed in
 * the order of its ids, and the clock of the process that made those may be ahead of this one's.
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
  return new Date(Math.max(Date.now(), after));
}

/** The id of the nth of what is sent together from a time on. */
export function idFrom(time: Date, nth: number): string {
  return idOf("transaction", newUuidAt(new Date(time.getTime() + nth)));
}
