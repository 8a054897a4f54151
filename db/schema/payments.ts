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
 * A payment for credits by x402, recorded before it is settled. A signer's nonce can be
 * paid only once, by any presenter; the chain says whether it was settled.
 */
export const payments = pgTable(
  "payments",
  {
    accountId: accountId(),
    id: uuid().notNull(),
    /** The call that is paid for: the same in every repeat of it. */
    effectId: uuid().notNull(),
    network: text().notNull(),
    asset: text().$type<Address>().notNull(),
    payer: text().$type<Address>().notNull(),
    nonce: text().$type<Hex>().notNull(),
    payTo: text().$type<Address>().notNull(),
    /** In the asset's smallest units. */
    units: text().notNull(),
    cents: integer().notNull(),
    /** Until when the token's contract takes it. */
    validBefore: instant().notNull(),
    /** The first block that may hold it. */
    fromBlock: bigint({ mode: "bigint" }).notNull(),
    /**
     * `settling`: its outcome is not known yet. `refused`: it was refused, but any holder might still settle it.
     * `credited`; `lapsed`, when it can't be settled any more; `reversed`, when a reorganisation took a credited one back.
     */
    state: text({ enum: ["settling", "refused", "credited", "lapsed", "reversed"] }).notNull(),
    /** What the payer has signed, kept until no reorganisation can take the payment back: with it, it is settled again. */
    transfer: jsonb().$type<SignedTransfer>(),
    /** The transfer that proves it. */
    transactionHash: text().$type<Hex>(),
    logIndex: integer(),
    receiptId: typeId("rcpt")(),
    /** The signed receipt (JWS). */
    receipt: text(),
    createdAt: instant().notNull().default(sql`clock_timestamp()`),
    /** Since when it is as deep in the chain as `finality` asks. */
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

/** Every public key that receipts were ever signed with, so that old ones verify after the key has changed. */
export const receiptKeys = pgTable("receipt_keys", {
  kid: text().primaryKey(),
  jwk: jsonb().$type<Record<string, string>>().notNull(),
});
