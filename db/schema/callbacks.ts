import { sql } from "drizzle-orm";
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { accountId, bytes, instant, typeId } from "../columns.ts";

/** The callback of an attempt of a run's step: its address, and the result that was sent there. */
export const callbacks = pgTable(
  "callbacks",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    /** The step's name in the journal. */
    step: text().notNull(),
    attempt: integer().notNull(),
    /** The input from which the token is derived with a key of the installation (hex); the token itself is not stored. */
    nonce: text().notNull(),
    /** SHA-256 of the token, hex. */
    tokenHash: text().notNull(),
    at: instant().notNull(),
    /** The latest time until which the step waits. */
    until: instant().notNull(),
    /** The time limit after the request, and after each heartbeat; null: until `until`. */
    heartbeatSeconds: integer(),
    heartbeatAt: instant(),
    /** The progress that the last heartbeat reported. */
    progress: doublePrecision(),
    message: text(),
    /** SHA-256 of the result (hex); null until it is called back. */
    digest: text(),
    /** The result, stored like the run's other payloads; null once the run has ended. */
    answer: bytes(),
    /** True if the result says that the step has failed. */
    failed: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.runId, table.step, table.attempt] }),
    uniqueIndex("callbacks_token").on(table.tokenHash),
    index("callbacks_old").on(table.at),
    index("callbacks_answers").on(table.accountId, table.runId).where(sql`answer is not null`),
  ],
);
