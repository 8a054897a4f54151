import { boolean, date, index, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accountId, typeId } from "../columns.ts";

/** What wallets have spent or promised, by UTC day: daily limits are judged by it. */
export const capDays = pgTable(
  "cap_days",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    day: date().notNull(),
    usedUsd: numeric().notNull().default("0"),
    /** What networks have taken for it, or may. */
    feesUsd: numeric().notNull().default("0"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.walletId, table.day] })],
);

/** What each transaction, signature, order or swap has taken of its wallet's day; returned where it was not spent. */
export const capReservations = pgTable(
  "cap_reservations",
  {
    accountId: accountId(),
    /** Wire id of the thing that it is for. */
    subject: text().notNull(),
    walletId: typeId("wal")().notNull(),
    day: date().notNull(),
    valueUsd: numeric().notNull(),
    /** Whether it was given back, and counts for nothing until it is taken again. */
    returned: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.subject] }),
    index("cap_reservations_day").on(table.day),
  ],
);
