import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, instant, typeId } from "../columns.ts";

/** What a send, signature, order or swap would do, as it was quoted; executed at most once, while it lives. */
export const quotes = pgTable(
  "quotes",
  {
    accountId: accountId(),
    id: typeId("quo")().notNull(),
    ...assignment(),
    kind: text({ enum: ["transaction", "signature", "order", "swap"] }).notNull(),
    walletId: typeId("wal")().notNull(),
    /** The wire's quote, without what stands in columns. */
    shown: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What its execution needs beyond what is shown: the route, the call, the valuation. */
    plan: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The id of the thing that it became. */
    usedBy: text(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("quotes_expiry").on(table.expiresAt),
  ],
);
