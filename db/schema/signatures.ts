import { index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, failure, idEndIndex, instant, typeId } from "../columns.ts";

/** A message or typed data to be signed by a wallet, after approval if the wallet's policy requires one. */
export const signatures = pgTable(
  "signatures",
  {
    accountId: accountId(),
    id: typeId("sig")().notNull(),
    ...assignment(),
    walletId: typeId("wal")().notNull(),
    quoteId: typeId("quo")().notNull(),
    kind: text({ enum: ["message", "typed_data"] }).notNull(),
    /** The data to sign; deleted when the signature has ended. */
    payload: jsonb().$type<Record<string, unknown>>(),
    /** The data's EIP-191 or EIP-712 hash. */
    payloadHash: text().notNull(),
    /** A readable form of the data. */
    display: jsonb().$type<{ summary: string; fields: { name: string; value: string }[] }>().notNull(),
    status: text({ enum: ["awaiting_approval", "signed", "rejected", "expired"] }).notNull(),
    signature: text(),
    failure: failure(),
    approvalId: typeId("appr")(),
    /** The key or member who requested the signature; after an approval it is judged again on their behalf. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("signatures", table.accountId, table.id),
    index("signatures_wallet").on(table.accountId, table.walletId, table.id),
  ],
);
