import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Address, Hex } from "viem";
import type { SignedTransfer } from "#server/providers/facilitator/facilitator.ts";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * An x402 payment for credits, recorded before it is settled. Each nonce of a signer is accepted once, in all accounts
 * together; the chain decides whether the payment was settled.
 */
export const payments = pgTable(
  "payments",
  {
    accountId: accountId(),
    id: uuid().notNull(),
    /** The effect id of the paid call; the same in every repeat. */
    effectId: uuid().notNull(),
    network: text().notNull(),
    asset: text().$type<Address>().notNull(),
    payer: text().$type<Address>().notNull(),
    nonce: text().$type<Hex>().notNull(),
    payTo: text().$type<Address>().notNull(),
    /** Amount in the asset's smallest units. */
    units: text().notNull(),
    cents: integer().notNull(),
    /** Until when the token's contract accepts the transfer. */
    validBefore: instant().notNull(),
    /** The first block that may contain the transfer. */
    fromBlock: bigint({ mode: "bigint" }).notNull(),
    /**
     * `settling`: the outcome is unknown. `refused`: refused, though anybody who holds it might still settle it.
     * `credited`: credits were added. `lapsed`: it can no longer be settled. `reversed`: a reorganisation removed a
     * credited payment.
     */
    state: text({ enum: ["settling", "refused", "credited", "lapsed", "reversed"] }).notNull(),
    /**
     * The transfer that the payer signed, kept until no reorganisation can remove the payment: it can be settled
     * again with it.
     */
    transfer: jsonb().$type<SignedTransfer>(),
    /** The hash of the transaction that settled it. */
    transactionHash: text().$type<Hex>(),
    logIndex: integer(),
    receiptId: typeId("rcpt")(),
    /** The signed receipt (JWS). */
    receipt: text(),
    createdAt: instant().notNull().default(sql`clock_timestamp()`),
    /** When the payment became as deep in the chain as `finality` requires. */
    finalizedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("payments_authorization").on(table.network, table.asset, table.payer, table.nonce),
    uniqueIndex("payments_transfer").on(table.network, table.transactionHash, table.logIndex),
    uniqueIndex("payments_receipt").on(table.receiptId),
    index("payments_effect").on(table.accountId, table.effectId),
  ],
);

/** Every public key that receipts were ever signed with, so that old receipts verify after a key change. */
export const receiptKeys = pgTable("receipt_keys", {
  kid: text().primaryKey(),
  jwk: jsonb().$type<Record<string, string>>().notNull(),
});
