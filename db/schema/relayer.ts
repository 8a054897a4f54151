import { sql } from "drizzle-orm";
import { bigint, index, jsonb, numeric, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { bytes, instant } from "../columns.ts";
import type { StoredOrder } from "./swaps.ts";

/** The relayer's state of the bridge's orders; each order is recorded when it is first seen, before any action. */
export const relayerOrders = pgTable(
  "relayer_orders",
  {
    /** The order's id at the bridge, in hex. */
    id: text().$type<Hex>().primaryKey(),
    originNetwork: text().notNull(),
    destinationNetwork: text().notNull(),
    order: jsonb().$type<StoredOrder>().notNull(),
    status: text({
      enum: ["seen", "filled", "claimed", "expired", "refunded"],
    }).notNull(),
    /** The delivered amount, in the output token's smallest units. */
    delivered: numeric(),
    /** The block of the destination chain from which on its fill may be found. */
    destinationBlock: bigint({ mode: "number" }).notNull().default(0),
    /** Why it is not filled yet. */
    reason: text(),
    seenAt: instant().notNull(),
    /** When it is checked again; null if nothing is left to do. */
    dueAt: instant(),
  },
  (table) => [index("relayer_orders_due").on(table.dueAt).where(sql`due_at is not null`)],
);

/**
 * Transactions of the relayer's account. The signed bytes are stored before they are sent, so a crash leads to the
 * same bytes again; an unmined transaction is replaced only under its own nonce, with higher fees.
 */
export const relayerSends = pgTable(
  "relayer_sends",
  {
    network: text().notNull(),
    nonce: bigint({ mode: "number" }).notNull(),
    orderId: text().$type<Hex>().notNull(),
    purpose: text({ enum: ["allow", "fill", "claim", "refund"] }).notNull(),
    hash: text().$type<Hex>().notNull(),
    raw: bytes().notNull(),
    /** Hashes of earlier signed versions with lower fees. */
    earlierHashes: text().array().$type<Hex[]>().notNull().default([]),
    status: text({ enum: ["signed", "done", "reverted", "lost"] }).notNull(),
    signedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.nonce] }),
    uniqueIndex("relayer_sends_once")
      .on(table.orderId, table.purpose)
      // An allowance may be used up, and granted again.
      .where(sql`status in ('signed', 'done') and purpose <> 'allow'`),
    index("relayer_sends_open").on(table.network, table.nonce).where(sql`status = 'signed'`),
  ],
);

/** The block up to which the relayer has searched for deposits. */
export const relayerHeads = pgTable("relayer_heads", {
  network: text().primaryKey(),
  block: bigint({ mode: "number" }).notNull(),
});
