import { sql } from "drizzle-orm";
import { bigint, index, jsonb, numeric, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { bytes, instant } from "../columns.ts";
import type { StoredOrder } from "./swaps.ts";

/** What the relayer knows of the bridge's orders: each is written down when it is seen, before anything is done. */
export const relayerOrders = pgTable(
  "relayer_orders",
  {
    /** The bridge's own id of it, in hex. */
    id: text().$type<Hex>().primaryKey(),
    originNetwork: text().notNull(),
    destinationNetwork: text().notNull(),
    order: jsonb().$type<StoredOrder>().notNull(),
    status: text({
      enum: ["seen", "filled", "claimed", "expired", "refunded"],
    }).notNull(),
    /** What was delivered, in the output's smallest units. */
    delivered: numeric(),
    /** The block of the destination after which its fill can stand. */
    destinationBlock: bigint({ mode: "number" }).notNull().default(0),
    /** Why it is not filled, so far. */
    reason: text(),
    seenAt: instant().notNull(),
    /** When it is looked at again; null once nothing is left to do. */
    dueAt: instant(),
  },
  (table) => [index("relayer_orders_due").on(table.dueAt).where(sql`due_at is not null`)],
);

/**
 * What the relayer's account sends. The signed bytes are stored before they are sent, and one that stands is signed a
 * second time only for its own nonce, with higher fees: after a crash the same bytes are sent again.
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
    /** Of the bytes that were signed for it before, with lower fees. */
    earlierHashes: text().array().$type<Hex[]>().notNull().default([]),
    status: text({ enum: ["signed", "done", "reverted", "lost"] }).notNull(),
    signedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.nonce] }),
    uniqueIndex("relayer_sends_once")
      .on(table.orderId, table.purpose)
      // An allowance may be used up, and given again.
      .where(sql`status in ('signed', 'done') and purpose <> 'allow'`),
    index("relayer_sends_open").on(table.network, table.nonce).where(sql`status = 'signed'`),
  ],
);

/** Up to which block the relayer has looked for deposits. */
export const relayerHeads = pgTable("relayer_heads", {
  network: text().primaryKey(),
  block: bigint({ mode: "number" }).notNull(),
});
