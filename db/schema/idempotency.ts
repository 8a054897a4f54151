import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, bytes, instant } from "../columns.ts";

/**
 * A call made under an `Idempotency-Key`: claimed by `owner` until `leaseUntil`, then stored with its response.
 * Hash-partitioned by key; expired rows are deleted in batches.
 */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: accountId(),
    /** UUID of the API key or member: idempotency keys are isolated per caller. */
    callerId: uuid().notNull(),
    key: text().notNull(),
    fingerprint: bytes().notNull(),
    state: text({ enum: ["running", "done"] }).notNull(),
    owner: uuid().notNull(),
    /** The process that runs the call, named as its liveness lock; the claim ends with the process. */
    process: text(),
    /** If in the past, a repeat of the same call may claim the key; if minus infinity, any call may. */
    leaseUntil: instant().notNull(),
    /**
     * Identifies the call's effect outside the database; the same for every repeat, whatever the last attempt's
     * outcome.
     */
    effectId: uuid().notNull().default(sql`gen_random_uuid()`),
    status: integer(),
    headers: jsonb().$type<Record<string, string>>(),
    /** The response's JSON as UTF-8; sealed if it contains a secret. */
    body: bytes(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.callerId, table.key] }),
    index("idempotency_records_expires_at").on(table.expiresAt),
  ],
);
