import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Address, Hex } from "viem";
import { TRANSACTION_STATUSES } from "#server/wallets/statuses.ts";
import {
  accountId,
  assignment,
  bytes,
  charges,
  createdAt,
  failure,
  idEndIndex,
  initiator,
  instant,
  typeId,
} from "../columns.ts";

/**
 * Outgoing and incoming transactions of wallets. An outgoing transaction is stored before it is signed, and its
 * signed bytes before they are sent, so that a crash at any point leads to at most one transaction on the chain.
 */
export const walletTransactions = pgTable(
  "wallet_transactions",
  {
    accountId: accountId(),
    id: typeId("tx")().notNull(),
    ...assignment(),
    walletId: typeId("wal")().notNull(),
    /** CAIP-2. */
    network: text().notNull(),
    direction: text({ enum: ["out", "in"] }).notNull(),
    status: text({ enum: TRANSACTION_STATUSES }).notNull(),
    /** The transfer as shown to callers; addresses have their EIP-55 checksum. */
    from: text().$type<Address>().notNull(),
    to: text().notNull(),
    asset: text().$type<"native" | Address>().notNull(),
    amount: text().notNull(),
    data: text(),
    /** The call to be signed; null for incoming transfers. */
    callTo: text().$type<Address>(),
    callValue: numeric(),
    callData: text().$type<Hex>(),
    gas: bigint({ mode: "bigint" }),
    quoteId: typeId("quo")(),
    clientReference: text(),
    approvalId: typeId("appr")(),
    /** The swap or order that continues when this transaction has ended. */
    sourceType: text({ enum: ["swap", "order"] }),
    sourceId: text(),
    ...initiator(),
    ...charges(),
    nonce: bigint({ mode: "number" }),
    /** Hash of the newest attempt, or of the mined one. */
    hash: text().$type<Hex>(),
    attempts: integer().notNull().default(0),
    failure: failure(),
    /** The block that contains it; null again after a reorganisation. */
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    /**
     * For an incoming token: the log index of its Transfer event; -1 for the native asset and for outgoing
     * transactions.
     */
    logIndex: integer().notNull().default(-1),
    /** True if the transaction was mined and reverted. */
    reverted: boolean().notNull().default(false),
    confirmations: integer().notNull().default(0),
    feePaid: text(),
    createdAt: createdAt(),
    /** When an unsigned transaction is given up. */
    expiresAt: instant(),
    signedAt: instant(),
    broadcastAt: instant(),
    confirmedAt: instant(),
    finalizedAt: instant(),
    /** When it ended: confirmed, or ended without being mined. */
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("wallet_transactions_wallet").on(table.accountId, table.walletId, table.id),
    index("wallet_transactions_status")
      .on(table.accountId, table.walletId, table.status, table.id)
      .where(sql`status <> 'confirmed'`)
      .concurrently(),
    // Only ended transactions: one on its way is written several times, and would have an entry for each part each time.
    index("wallet_transactions_reference_parts")
      .using("gin", table.accountId, table.clientReference.op("gin_trgm_ops"))
      .where(sql`client_reference is not null and ended_at is not null`)
      .concurrently(),
    index("wallet_transactions_network")
      .on(table.accountId, table.walletId, table.network, table.id)
      .concurrently(),
    index("wallet_transactions_direction")
      .on(table.accountId, table.walletId, table.direction, table.id)
      .concurrently(),
    // When an address was first and last sent to.
    index("wallet_transactions_to").on(table.accountId, table.to, table.id).where(sql`direction = 'out'`),
    // The transactions from an address that is not the wallet's.
    index("wallet_transactions_from").on(table.accountId, table.from, table.id).where(sql`direction = 'in'`),
    index("wallet_transactions_source")
      .on(table.accountId, table.sourceId, table.id)
      .where(sql`source_id is not null`),
    index("wallet_transactions_source_type")
      .on(table.accountId, table.walletId, table.sourceType, table.id)
      .where(sql`source_type is not null`)
      .concurrently(),
    uniqueIndex("wallet_transactions_reference")
      .on(table.accountId, table.walletId, table.clientReference)
      .where(sql`client_reference is not null`),
    // No two transactions of an address are signed with the same nonce.
    uniqueIndex("wallet_transactions_nonce")
      .on(table.accountId, table.walletId, table.network, table.nonce)
      .where(sql`direction = 'out' and nonce is not null`),
    uniqueIndex("wallet_transactions_incoming")
      .on(table.accountId, table.walletId, table.network, table.hash, table.logIndex)
      .where(sql`direction = 'in'`),
    index("wallet_transactions_open")
      .on(table.accountId, table.walletId, table.network, table.id)
      .where(sql`direction = 'out' and status in ('reserved', 'signed', 'broadcast')`),
    // Transactions that a reorganisation can still remove.
    index("wallet_transactions_unsettled")
      .on(table.network, table.blockNumber)
      .where(sql`block_number is not null and finalized_at is null`),
    // Incoming transfers that a reorganisation removed; given up unless they reappear.
    index("wallet_transactions_taken_back")
      .on(table.network, table.expiresAt)
      .where(sql`direction = 'in' and status = 'broadcast' and block_number is null`),
    idEndIndex("wallet_transactions", table.accountId, table.id),
    index("wallet_transactions_hash").on(table.accountId, table.hash).where(sql`hash is not null`),
    index("wallet_transactions_block")
      .on(table.network, table.blockNumber)
      .where(sql`direction = 'out' and block_number is not null`),
  ],
);

/** Every signed version of a transaction: the first, and replacements with higher fees. */
export const transactionAttempts = pgTable(
  "transaction_attempts",
  {
    accountId: accountId(),
    transactionId: typeId("tx")().notNull(),
    attempt: integer().notNull(),
    hash: text().$type<Hex>().notNull(),
    raw: bytes().notNull(),
    /** Maximum fee per gas, in wei. */
    maxFee: numeric().notNull(),
    priorityFee: numeric().notNull(),
    /** True for a version that transfers nothing and only prevents the earlier versions from being mined. */
    cancels: boolean().notNull().default(false),
    /** Since when it can be mined: signed, first sent to a node, or returned from a reorganised block. */
    signedAt: instant().notNull(),
    /** When a node last accepted it, or reported to have it. */
    acceptedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.transactionId, table.attempt] }),
    index("transaction_attempts_hash").on(table.accountId, table.hash),
  ],
);

/**
 * The nonce queue of a wallet's address on one chain. The sending process leases the row and signs under its lock and
 * the lease's fencing number, so that two processes never use one nonce.
 */
export const walletNonces = pgTable(
  "wallet_nonces",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    network: text().notNull(),
    address: text().$type<Address>().notNull(),
    /** One more than the highest signed nonce. */
    next: bigint({ mode: "number" }).notNull().default(0),
    /** When work is due again; null if only new transactions bring work. */
    dueAt: instant(),
    leaseUntil: instant(),
    fence: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.walletId, table.network] }),
    index("wallet_nonces_due").on(table.dueAt).where(sql`due_at is not null`),
    index("wallet_nonces_lease").on(table.leaseUntil).where(sql`lease_until is not null`),
  ],
);

/**
 * Wake-ups for a wallet on a chain, one row each. They are separate from `walletNonces`, whose row is locked while a
 * worker stores results, so that storing a new transaction waits for nobody.
 */
export const walletWakes = pgTable(
  "wallet_wakes",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    network: text().notNull(),
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.walletId, table.network, table.id] })],
);
