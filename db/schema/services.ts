import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * A call of an operator's service whose outcome is not stored yet, with the held credits and the consumed approval.
 * Deleted with its outcome; a repeat of a call in doubt finds it.
 */
export const serviceCalls = pgTable(
  "service_calls",
  {
    accountId: accountId(),
    /** The effect's id: the same in every repeat. */
    id: uuid().notNull(),
    holdId: uuid(),
    approvalId: typeId("appr")(),
    beganAt: instant().notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("service_calls_began_at").on(table.beganAt),
  ],
);
