import { boolean, date, index, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accountId, typeId } from "../columns.ts";

/** The amounts that wallets have spent or reserved, by UTC day; daily limits are judged by them. */
export const capDays = pgTable(
  "cap_days",
  {
    accountId: accountId(),
    walletId: typeId("wal")().notNull(),
    day: date().notNull(),
    usedUsd: numeric().notNull().default("0"),
    /** Network fees that were paid for it or may be paid, in USD. */
    feesUsd: numeric().notNull().default("0"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.walletId, table.day] })],
);

/**
 * The part of its wallet's daily cap that a transaction, signature, order or swap has reserved; returned if not
 * spent.
 */
export const capReservations = pgTable(
  "cap_reservations",
  {
    accountId: accountId(),
    /** Public id of the resource that reserved it. */
    subject: text().notNull(),
    walletId: typeId("wal")().notNull(),
    day: date().notNull(),
    valueUsd: numeric().notNull(),
    /** True if the reservation was returned; it then counts for nothing until it is reserved again. */
    returned: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.subject] }),
    index("cap_reservations_day").on(table.day),
  ],
);
