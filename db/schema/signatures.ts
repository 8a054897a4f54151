import { index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, failure, instant, typeId } from "../columns.ts";

/** A message or typed data that a wallet signs, once people have approved it where its policy asks for that. */
export const signatures = pgTable(
  "signatures",
  {
    accountId: accountId(),
    id: typeId("sig")().notNull(),
    ...assignment(),
    walletId: typeId("wal")().notNull(),
    quoteId: typeId("quo")().notNull(),
    kind: text({ enum: ["message", "typed_data"] }).notNull(),
    /** What is signed; gone once that has come to its end. */
    payload: jsonb().$type<Record<string, unknown>>(),
    /** Its EIP-191 or EIP-712 hash. */
    payloadHash: text().notNull(),
    /** What it says, for people. */
    display: jsonb().$type<{ summary: string; fields: { name: string; value: string }[] }>().notNull(),
    status: text({ enum: ["awaiting_approval", "signed", "rejected", "expired"] }).notNull(),
    signature: text(),
    failure: failure(),
    approvalId: typeId("appr")(),
    /** Who asked for it: what waited for an approval is judged as theirs. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("signatures_wallet").on(table.accountId, table.walletId, table.id),
  ],
);
