import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, bytes, instant } from "../columns.ts";

/**
 * A call that was made under an `Idempotency-Key`: claimed by `owner` until `leaseUntil`, then done with its answer.
 * Hash-partitioned by its key; swept in batches.
 */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: accountId(),
    /** The API key's or the member's uuid: keys are isolated per caller. */
    callerId: uuid().notNull(),
    key: text().notNull(),
    fingerprint: bytes().notNull(),
    state: text({ enum: ["running", "done"] }).notNull(),
    owner: uuid().notNull(),
    /** The process that makes the call, as its liveness lock names it: the claim ends with it. */
    process: text(),
    /** Before the present: free for a repeat of the same call. Minus infinity: for any call. */
    leaseUntil: instant().notNull(),
    /** Names what the call does outside the database: the same for every repeat, whatever became of the last attempt. */
    effectId: uuid().notNull().default(sql`gen_random_uuid()`),
    status: integer(),
    headers: jsonb().$type<Record<string, string>>(),
    /** The answer's JSON as UTF-8, or sealed where it holds a secret. */
    body: bytes(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.callerId, table.key] }),
    index("idempotency_records_expires_at").on(table.expiresAt),
  ],
);
