import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, instant, typeId } from "../columns.ts";

/** A quote of a send, signature, order or swap; executed at most once, before it expires. */
export const quotes = pgTable(
  "quotes",
  {
    accountId: accountId(),
    id: typeId("quo")().notNull(),
    ...assignment(),
    kind: text({ enum: ["transaction", "signature", "order", "swap"] }).notNull(),
    walletId: typeId("wal")().notNull(),
    /** The public form of the quote, without the fields that are columns. */
    shown: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The part of the plan that execution needs beyond the public form: the route, the call, the valuation. */
    plan: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Id of the resource that executing the quote created. */
    usedBy: text(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("quotes_expiry").on(table.expiresAt),
  ],
);
