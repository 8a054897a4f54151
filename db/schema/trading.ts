import { sql } from "drizzle-orm";
import { index, integer, jsonb, numeric, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import {
  accountId,
  assignment,
  charges,
  createdAt,
  failure,
  initiator,
  instant,
  typeId,
} from "../columns.ts";

/** An order of a wallet. Quantities are in whole units of the base asset, prices in USD per unit. */
export const orders = pgTable(
  "orders",
  {
    accountId: accountId(),
    id: typeId("ord")().notNull(),
    ...assignment(),
    walletId: typeId("wal")().notNull(),
    quoteId: typeId("quo")().notNull(),
    clientReference: text(),
    symbol: text().notNull(),
    /** CAIP-2. */
    network: text().notNull(),
    /** `native`, or the token's address: what is bought or sold, and what it is paid in. */
    base: text().notNull(),
    counter: text().notNull(),
    side: text({ enum: ["buy", "sell"] }).notNull(),
    type: text({ enum: ["market", "limit"] }).notNull(),
    timeInForce: text({ enum: ["gtc", "ioc", "fok", "gtd"] }).notNull(),
    quantity: numeric().notNull(),
    limitPrice: numeric(),
    slippageBps: integer(),
    /** The worst average price at which any of it is executed: the limit, or a market order's quote less its slippage. */
    boundPrice: numeric().notNull(),
    status: text({
      enum: [
        "pending",
        "awaiting_approval",
        "open",
        "partially_filled",
        "filled",
        "cancelled",
        "expired",
        "rejected",
      ],
    }).notNull(),
    filledQuantity: numeric().notNull().default("0"),
    /** What the fills have paid or brought. */
    filledValue: numeric().notNull().default("0"),
    fees: jsonb().$type<{ type: string; asset: string; amount: string }[]>().notNull().default([]),
    /** The trade under way with the allowance that it needs, and how much of the quantity it is for. */
    transactionId: typeId("tx")(),
    allowanceTransactionId: typeId("tx")(),
    executingQuantity: numeric().notNull().default("0"),
    /** How many trades have failed. */
    failedTrades: integer().notNull().default(0),
    approvalId: typeId("appr")(),
    ...initiator(),
    ...charges(),
    failure: failure(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
    /** When it ends, filled or not; null for what is executed at once. */
    expiresAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("orders_reference")
      .on(table.accountId, table.walletId, table.clientReference)
      .where(sql`client_reference is not null`),
    index("orders_wallet").on(table.accountId, table.walletId, table.id),
    // What `watchOrders` looks at.
    index("orders_open").on(table.network, table.base).where(sql`ended_at is null`),
  ],
);

/** What each trade of an order has come to; one that the chain has refused has exchanged nothing. */
export const orderFills = pgTable(
  "order_fills",
  {
    accountId: accountId(),
    orderId: typeId("ord")().notNull(),
    transactionId: typeId("tx")().notNull(),
    allowanceTransactionId: typeId("tx")(),
    transactionHash: text().$type<Hex>(),
    /** The block that says so: once the trade is in another one, or in none, this holds no more. */
    blockHash: text(),
    price: numeric(),
    quantity: numeric().notNull(),
    value: numeric().notNull(),
    /** What the network has taken for it, in whole units of the native asset. */
    networkFee: numeric().notNull().default("0"),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.orderId, table.transactionId] })],
);

/** What a wallet has bought by orders and not yet sold, at its average cost. */
export const positions = pgTable(
  "positions",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    symbol: text().notNull(),
    network: text().notNull(),
    base: text().notNull(),
    quantity: numeric().notNull(),
    /** What the quantity has cost. */
    cost: numeric().notNull(),
    realizedPnl: numeric().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.walletId, table.symbol] })],
);
