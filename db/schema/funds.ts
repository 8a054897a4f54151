import { sql } from "drizzle-orm";
import { date, index, integer, numeric, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * The part of a wallet's assets that is reserved for a transaction, swap, order or signature. A transaction's
 * reservation lasts until it is mined or has ended; an order's covers what none of its trades has taken over; a
 * swap's lasts until it is sent; a signed transfer's (EIP-3009) until its nonce is used or cancelled on the chain, or
 * it has expired.
 */
export const fundReservations = pgTable(
  "fund_reservations",
  {
    accountId: accountId(),
    ownerId: uuid().notNull(),
    ownerType: text({ enum: ["transaction", "swap", "order", "signature"] }).notNull(),
    walletId: typeId("wal")().notNull(),
    network: text().notNull(),
    /** `native`, or the token's contract address. */
    asset: text().notNull(),
    /** Amount in whole units of the asset. */
    amount: numeric().notNull(),
    /** The maximum network fee of a transaction; only for the native asset. */
    fee: numeric().notNull().default("0"),
    /**
     * The fee's value in USD as counted for the wallet's day: the maximum, or the paid fee; null without a price.
     */
    feeUsd: numeric(),
    feeCountedUsd: numeric(),
    feeDay: date(),
    /** When it was spent or returned; a balance that was read earlier may not include that. */
    releasedAt: instant(),
    /** For a signed transfer: its nonce, its expiry, and the block that used or cancelled the nonce. */
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
