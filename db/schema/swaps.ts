import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Address, Hex } from "viem";
import { ROUTE_STATUSES, SWAP_STATUSES } from "#server/swaps/statuses.ts";
import {
  accountId,
  assignment,
  charges,
  createdAt,
  endUserIndex,
  failure,
  idEndIndex,
  instant,
  typeId,
} from "../columns.ts";

/** The public form of one side of a swap, with the decimals of its amounts. */
interface Side {
  network: string;
  asset: "native" | Address;
  decimals: number;
}

/** An unsigned transaction to be sent; `value` and `gas` as decimal strings. */
export interface StoredCall {
  to: Address;
  data: Hex;
  value: string;
  gas: string;
}

/** A deposit order of the bridge; numbers as decimal strings. */
export interface StoredOrder {
  depositor: Address;
  recipient: Address;
  inputToken: Address;
  inputAmount: string;
  originChainId: string;
  destinationChainId: string;
  outputToken: Address;
  minimumOutput: string;
  fillDeadline: string;
  nonce: string;
}

/** A swap by a managed wallet. Its state on the chains is in its route. */
export const swaps = pgTable(
  "swaps",
  {
    accountId: accountId(),
    id: typeId("swap")().notNull(),
    ...assignment(),
    walletId: typeId("wal")().notNull(),
    quoteId: typeId("quo")().notNull(),
    routeId: typeId("route")(),
    status: text({
      enum: SWAP_STATUSES,
    }).notNull(),
    from: jsonb().$type<Side & { amount: string }>().notNull(),
    /** The expected and the minimum output as quoted, in whole units. */
    to: jsonb().$type<Side & { expected: string; minimum: string }>().notNull(),
    received: text(),
    fees: jsonb()
      .$type<{ type: string; asset: "native" | Address; amount: string; valueUsd: string | null }[]>()
      .notNull(),
    transactions: jsonb().$type<{ network: string; hash: string }[]>().notNull().default([]),
    /** The wallet's transactions: the token approval, the swap or deposit, and the call for the refund. */
    allowanceTransactionId: typeId("tx")(),
    sourceTransactionId: typeId("tx")(),
    refundTransactionId: typeId("tx")(),
    approvalId: typeId("appr")(),
    /** The key or member who requested the swap; after an approval it is judged again on their behalf. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    keyIds: typeId("key")().array().notNull(),
    requestId: text().notNull(),
    ...charges(),
    failure: failure(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("swaps", table.accountId, table.id),
    endUserIndex("swaps", table),
    index("swaps_status").on(table.accountId, table.status, table.id).concurrently(),
    index("swaps_hashes")
      .using("gin", table.accountId, table.transactions.op("jsonb_path_ops"))
      .concurrently(),
    index("swaps_wallet").on(table.accountId, table.walletId, table.id),
    index("swaps_open").on(table.accountId, table.id).where(sql`ended_at is null`),
  ],
);

/**
 * A swap's state on the chains. It is bound to the sender of its last step and to that step's calldata, which ends in
 * the route's id, so that no other transaction can be mistaken for it.
 */
export const swapRoutes = pgTable(
  "swap_routes",
  {
    accountId: accountId(),
    id: typeId("route")().notNull(),
    ...assignment(),
    /** The managed swap that it belongs to; null if a wallet outside the platform sends. */
    swapId: typeId("swap")(),
    status: text({
      enum: ROUTE_STATUSES,
    }).notNull(),
    sender: text().notNull(),
    recipient: text().$type<Address>().notNull(),
    from: jsonb().$type<Side & { amount: string }>().notNull(),
    to: jsonb().$type<Side & { minimum: string }>().notNull(),
    /** The step that moves the input token. */
    call: jsonb().$type<StoredCall>().notNull(),
    /** The next block of the source chain to search for the step. */
    nextBlock: bigint({ mode: "number" }).notNull(),
    sourceTransactionHash: text().$type<Hex>(),
    destinationTransactionHash: text().$type<Hex>(),
    /**
     * The hashes of the blocks that contained the two transactions; if a hash changes, the chain is searched again.
     */
    sourceBlockHash: text(),
    destinationBlockHash: text(),
    received: text(),
    /**
     * The bridge's order for the input, and the block of the destination chain from which on its fill may be found.
     */
    orderId: text().$type<Hex>(),
    order: jsonb().$type<StoredOrder>(),
    destinationBlock: bigint({ mode: "number" }),
    failure: failure(),
    createdAt: createdAt(),
    /** When the step becomes invalid, by the source chain's clock. */
    expiresAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("swap_routes_order").on(table.orderId).where(sql`order_id is not null`),
    index("swap_routes_open").on(sql`("from" ->> 'network')`).where(sql`ended_at is null`),
  ],
);
