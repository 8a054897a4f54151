import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Address, Hex } from "viem";
import { accountId, assignment, charges, createdAt, failure, instant, typeId } from "../columns.ts";

/** What the wire shows of a side of a swap, with the decimals that its amounts are counted in. */
interface Side {
  network: string;
  asset: string;
  decimals: number;
}

/** A transaction that is to be sent, unsigned; `value` and `gas` as decimal strings. */
export interface StoredCall {
  to: string;
  data: string;
  value: string;
  gas: string;
}

/** An order of the bridge; its numbers as decimal strings. */
export interface StoredOrder {
  depositor: string;
  recipient: string;
  inputToken: string;
  inputAmount: string;
  originChainId: string;
  destinationChainId: string;
  outputToken: string;
  minimumOutput: string;
  fillDeadline: string;
  nonce: string;
}

/** A swap that a managed wallet makes. What the chains show of it is its route's. */
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
      enum: [
        "awaiting_approval",
        "pending",
        "source_submitted",
        "source_confirmed",
        "filling",
        "completed",
        "refunding",
        "refunded",
        "failed",
      ],
    }).notNull(),
    from: jsonb().$type<Side & { amount: string }>().notNull(),
    /** The expected and the least amount as quoted, in whole units. */
    to: jsonb().$type<Side & { expected: string; minimum: string }>().notNull(),
    received: text(),
    fees: jsonb()
      .$type<{ type: string; asset: string; amount: string; valueUsd: string | null }[]>()
      .notNull(),
    transactions: jsonb().$type<{ network: string; hash: string }[]>().notNull().default([]),
    /** What the wallet sends for it: the approval of a token, the swap or deposit, the call for the refund. */
    allowanceTransactionId: typeId("tx")(),
    sourceTransactionId: typeId("tx")(),
    refundTransactionId: typeId("tx")(),
    approvalId: typeId("appr")(),
    /** Who asked for it: what waited for an approval is judged as theirs. */
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
    index("swaps_wallet").on(table.accountId, table.walletId, table.id),
    index("swaps_open").on(table.accountId, table.id).where(sql`ended_at is null`),
  ],
);

/**
 * A swap as the chains show it: bound to who sends its last step and to that step's calldata, which ends in the route's
 * id, so that no other transaction can be taken for it.
 */
export const swapRoutes = pgTable(
  "swap_routes",
  {
    accountId: accountId(),
    id: typeId("route")().notNull(),
    ...assignment(),
    /** The managed swap that it belongs to; null where somebody else's wallet sends. */
    swapId: typeId("swap")(),
    status: text({
      enum: ["prepared", "observed", "filling", "completed", "refunded", "expired", "failed"],
    }).notNull(),
    sender: text().notNull(),
    recipient: text().$type<Address>().notNull(),
    from: jsonb().$type<Side & { amount: string }>().notNull(),
    to: jsonb().$type<Side & { minimum: string }>().notNull(),
    /** The step that moves the input. */
    call: jsonb().$type<StoredCall>().notNull(),
    /** The next block of the source chain that is looked through for it. */
    nextBlock: bigint({ mode: "number" }).notNull(),
    sourceTransactionHash: text().$type<Hex>(),
    destinationTransactionHash: text().$type<Hex>(),
    /** The blocks that contained these two: what stands in others is looked at anew. */
    sourceBlockHash: text(),
    destinationBlockHash: text(),
    received: text(),
    /** What the bridge has taken the input for, and the block of the destination after which its fill can stand. */
    orderId: text().$type<Hex>(),
    order: jsonb().$type<StoredOrder>(),
    destinationBlock: bigint({ mode: "number" }),
    failure: failure(),
    createdAt: createdAt(),
    /** When the step stops working, by the source chain's clock. */
    expiresAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("swap_routes_order").on(table.orderId).where(sql`order_id is not null`),
    index("swap_routes_open").on(sql`("from" ->> 'network')`).where(sql`ended_at is null`),
  ],
);
