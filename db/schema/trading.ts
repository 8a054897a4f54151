import { sql } from "drizzle-orm";
import { index, integer, jsonb, numeric, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { ORDER_STATUSES, SIDES } from "#server/trading/statuses.ts";
import {
  accountId,
  assignment,
  charges,
  createdAt,
  endUserIndex,
  failure,
  idEndIndex,
  initiator,
  instant,
  typeId,
} from "../columns.ts";

/** A wallet's order. Quantities are in whole units of the base asset, prices in USD per unit. */
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
    /** `native` or a token's address: the asset bought or sold, and the asset it is paid in. */
    base: text().notNull(),
    counter: text().notNull(),
    side: text({ enum: SIDES }).notNull(),
    type: text({ enum: ["market", "limit"] }).notNull(),
    timeInForce: text({ enum: ["gtc", "ioc", "fok", "gtd"] }).notNull(),
    quantity: numeric().notNull(),
    limitPrice: numeric(),
    slippageBps: integer(),
    /** The worst acceptable average price: the limit, or a market order's quoted price with its slippage. */
    boundPrice: numeric().notNull(),
    status: text({
      enum: ORDER_STATUSES,
    }).notNull(),
    filledQuantity: numeric().notNull().default("0"),
    /** The value paid or received by the fills. */
    filledValue: numeric().notNull().default("0"),
    fees: jsonb().$type<{ type: string; asset: string; amount: string }[]>().notNull().default([]),
    /** The running trade with its token approval, and the part of the quantity it covers. */
    transactionId: typeId("tx")(),
    allowanceTransactionId: typeId("tx")(),
    executingQuantity: numeric().notNull().default("0"),
    /** The number of failed trades. */
    failedTrades: integer().notNull().default(0),
    approvalId: typeId("appr")(),
    ...initiator(),
    ...charges(),
    failure: failure(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
    /** When the order ends, filled or not; null for an order that is executed at once. */
    expiresAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("orders", table.accountId, table.id),
    endUserIndex("orders", table),
    uniqueIndex("orders_reference")
      .on(table.accountId, table.walletId, table.clientReference)
      .where(sql`client_reference is not null`),
    // Each filter of the list has an index in the list's order.
    index("orders_status").on(table.accountId, table.status, table.id).concurrently(),
    index("orders_symbol").on(table.accountId, table.symbol, table.id).concurrently(),
    index("orders_side").on(table.accountId, table.side, table.id).concurrently(),
    // Only ended orders: an open one is written by each trade, and would have an entry for each part each time.
    index("orders_parts")
      .using(
        "gin",
        table.accountId,
        table.symbol.op("gin_trgm_ops"),
        table.clientReference.op("gin_trgm_ops"),
      )
      .where(sql`ended_at is not null`)
      .concurrently(),
    index("orders_live").on(table.accountId, table.id).where(sql`ended_at is null`).concurrently(),
    index("orders_wallet").on(table.accountId, table.walletId, table.id),
    // For `watchOrders`.
    index("orders_open").on(table.network, table.base).where(sql`ended_at is null`),
  ],
);

/** The result of each trade of an order; a trade that reverted has exchanged nothing. */
export const orderFills = pgTable(
  "order_fills",
  {
    accountId: accountId(),
    orderId: typeId("ord")().notNull(),
    transactionId: typeId("tx")().notNull(),
    allowanceTransactionId: typeId("tx")(),
    transactionHash: text().$type<Hex>(),
    /** The block that contains the trade; the fill is void once the trade is in another block or in none. */
    blockHash: text(),
    price: numeric(),
    quantity: numeric().notNull(),
    value: numeric().notNull(),
    /** The paid network fee, in whole units of the native asset. */
    networkFee: numeric().notNull().default("0"),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.orderId, table.transactionId] })],
);

/** The assets that a wallet has bought by orders and not sold yet, at their average cost. */
export const positions = pgTable(
  "positions",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    symbol: text().notNull(),
    network: text().notNull(),
    base: text().notNull(),
    quantity: numeric().notNull(),
    /** The cost of the quantity. */
    cost: numeric().notNull(),
    realizedPnl: numeric().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.walletId, table.symbol] })],
);
