import { sql } from "drizzle-orm";
import { date, index, integer, numeric, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * What of a wallet's assets is promised, and to which transaction, swap, order or signature. A transaction's stands until
 * the chain has it, or it has ended without; an order's covers what no trade of it has taken over; a swap's stands until it
 * is sent; a signed transfer's (EIP-3009) until the chain has used or cancelled its nonce, or it has expired.
 */
export const fundReservations = pgTable(
  "fund_reservations",
  {
    accountId: accountId(),
    ownerId: uuid().notNull(),
    ownerType: text({ enum: ["transaction", "swap", "order", "signature"] }).notNull(),
    walletId: typeId("wal")().notNull(),
    network: text().notNull(),
    /** `native`, or the token's address. */
    asset: text().notNull(),
    /** In whole units. */
    amount: numeric().notNull(),
    /** The most that the network takes for a transaction; of the native asset alone. */
    fee: numeric().notNull().default("0"),
    /** What `fee` is worth, and how much of that its wallet's day counts: all, or what was really paid; null without a price. */
    feeUsd: numeric(),
    feeCountedUsd: numeric(),
    feeDay: date(),
    /** When it was spent or given back: a balance that was read before may not show that yet. */
    releasedAt: instant(),
    /** Of a signed transfer: its nonce, until when it can be used, and the block that has used or cancelled it. */
    nonce: text(),
    expiresAt: instant(),
    releasedBlock: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.ownerId, table.asset] }),
    index("fund_reservations_wallet").on(
      table.accountId,
      table.walletId,
      table.network,
      table.releasedAt,
      table.asset,
    ),
    index("fund_reservations_released").on(table.releasedAt),
    index("fund_reservations_authorizations")
      .on(table.network, table.releasedBlock)
      .where(sql`${table.nonce} is not null`),
  ],
);
