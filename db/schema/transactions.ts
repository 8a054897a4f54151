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
import {
  accountId,
  assignment,
  bytes,
  charges,
  createdAt,
  failure,
  initiator,
  instant,
  typeId,
} from "../columns.ts";

/**
 * What a wallet sends, and what comes in to it. An outgoing one is written down before it is signed, and its signed
 * bytes before they are sent, so that whatever breaks off in between ends with one transaction on the chain or none.
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
    status: text({
      enum: [
        "awaiting_approval",
        "reserved",
        "signed",
        "broadcast",
        "confirmed",
        "failed",
        "rejected",
        "cancelled",
        "expired",
      ],
    }).notNull(),
    /** What it moves, as the wire shows it; addresses with their EIP-55 checksum. */
    from: text().$type<Address>().notNull(),
    to: text().notNull(),
    asset: text().notNull(),
    amount: text().notNull(),
    data: text(),
    /** What is signed; null for what comes in. */
    callTo: text().$type<Address>(),
    callValue: numeric(),
    callData: text().$type<Hex>(),
    gas: bigint({ mode: "bigint" }),
    quoteId: typeId("quo")(),
    clientReference: text(),
    approvalId: typeId("appr")(),
    /** The swap or order that goes on when it has ended. */
    sourceType: text({ enum: ["swap", "order"] }),
    sourceId: text(),
    ...initiator(),
    ...charges(),
    nonce: bigint({ mode: "number" }),
    /** Of its newest attempt, or of the one that the chain has taken. */
    hash: text().$type<Hex>(),
    attempts: integer().notNull().default(0),
    failure: failure(),
    /** Where the chain has it; null again after a reorganisation. */
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    /** For a token that came in: the place of its Transfer event; -1 for the native asset and what goes out. */
    logIndex: integer().notNull().default(-1),
    /** Whether the chain has it without its effects. */
    reverted: boolean().notNull().default(false),
    confirmations: integer().notNull().default(0),
    feePaid: text(),
    createdAt: createdAt(),
    /** When it is given up, unless it was signed. */
    expiresAt: instant(),
    signedAt: instant(),
    broadcastAt: instant(),
    confirmedAt: instant(),
    finalizedAt: instant(),
    /** When it came to its end: confirmed, or one without a transaction on the chain. */
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("wallet_transactions_wallet").on(table.accountId, table.walletId, table.id),
    uniqueIndex("wallet_transactions_reference")
      .on(table.accountId, table.walletId, table.clientReference)
      .where(sql`client_reference is not null`),
    // No two transactions of an address are ever signed with the same nonce.
    uniqueIndex("wallet_transactions_nonce")
      .on(table.accountId, table.walletId, table.network, table.nonce)
      .where(sql`direction = 'out' and nonce is not null`),
    uniqueIndex("wallet_transactions_incoming")
      .on(table.accountId, table.walletId, table.network, table.hash, table.logIndex)
      .where(sql`direction = 'in'`),
    index("wallet_transactions_open")
      .on(table.accountId, table.walletId, table.network, table.id)
      .where(sql`direction = 'out' and status in ('reserved', 'signed', 'broadcast')`),
    // What a reorganisation can still take back.
    index("wallet_transactions_unsettled")
      .on(table.network, table.blockNumber)
      .where(sql`block_number is not null and finalized_at is null`),
    // What came in and was taken back: given up unless it comes again.
    index("wallet_transactions_taken_back")
      .on(table.network, table.expiresAt)
      .where(sql`direction = 'in' and status = 'broadcast' and block_number is null`),
    index("wallet_transactions_hash").on(table.accountId, table.hash).where(sql`hash is not null`),
    index("wallet_transactions_block")
      .on(table.network, table.blockNumber)
      .where(sql`direction = 'out' and block_number is not null`),
  ],
);

/** Each set of bytes that was signed for a transaction: the first, and its replacements with higher fees. */
export const transactionAttempts = pgTable(
  "transaction_attempts",
  {
    accountId: accountId(),
    transactionId: typeId("tx")().notNull(),
    attempt: integer().notNull(),
    hash: text().$type<Hex>().notNull(),
    raw: bytes().notNull(),
    /** Per gas, in wei. */
    maxFee: numeric().notNull(),
    priorityFee: numeric().notNull(),
    /** Whether it moves nothing, and only keeps the ones before it from ever being taken. */
    cancels: boolean().notNull().default(false),
    /** Since when the chain could take it: signed, first handed to a node, or back from a block that was lost. */
    signedAt: instant().notNull(),
    /** When a node last took it, or said that it has it. */
    acceptedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.transactionId, table.attempt] }),
    index("transaction_attempts_hash").on(table.accountId, table.hash),
  ],
);

/**
 * The nonces of a wallet's address on one chain. The process that sends for it holds a lease on the row, and
 * signs under its lock and the fence that the lease came with, so that two processes never use one nonce.
 */
export const walletNonces = pgTable(
  "wallet_nonces",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    network: text().notNull(),
    address: text().$type<Address>().notNull(),
    /** One past the highest that was ever signed. */
    next: bigint({ mode: "number" }).notNull().default(0),
    /** When there is something to do again; null: when something new comes. */
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
 * That something new is to be done for a wallet on a chain; a row for each time. Apart from its nonces, whose row is
 * locked while a worker stores what it has done: who writes down what is to be sent waits for nobody.
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
