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

/** The address at which an attempt at a step of a run is called back, with what was sent there. */
export const callbacks = pgTable(
  "callbacks",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    /** The step's name in the journal. */
    step: text().notNull(),
    attempt: integer().notNull(),
    /** What the token is made of, with a key of the installation's (hex); the token itself is nowhere. */
    nonce: text().notNull(),
    /** SHA-256 of the token, hex. */
    tokenHash: text().notNull(),
    at: instant().notNull(),
    /** Until when the step waits at the longest. */
    until: instant().notNull(),
    /** How long it waits after the request was sent, and after each heartbeat; null: until its end. */
    heartbeatSeconds: integer(),
    heartbeatAt: instant(),
    /** What the last heartbeat said. */
    progress: doublePrecision(),
    message: text(),
    /** SHA-256 of what it was called back with, hex; null while it was not. */
    digest: text(),
    /** What that was, as the run's own payloads are stored; null once the run has ended. */
    answer: bytes(),
    /** Whether it says that the step has failed. */
    failed: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.runId, table.step, table.attempt] }),
    uniqueIndex("callbacks_token").on(table.tokenHash),
    index("callbacks_old").on(table.at),
    index("callbacks_answers").on(table.accountId, table.runId).where(sql`answer is not null`),
  ],
);
