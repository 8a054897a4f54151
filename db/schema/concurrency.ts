import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * Concurrency keys: each limits how many runs of an account, project and end user run at once, whatever their service.
 */
export const concurrencyKeys = pgTable(
  "concurrency_keys",
  {
    accountId: accountId(),
    /** A digest of account, project and end user. */
    space: uuid().notNull(),
    key: text().notNull(),
    /** The number of the key's slots, as the newest run requested. */
    most: integer().notNull(),
    /** When the key was last used, to about an hour. */
    usedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.space, table.key] })],
);

/**
 * The slots of runs that have not ended, one row for each key of a run. Only these rows say how many slots are held.
 */
export const runSlots = pgTable(
  "run_slots",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    key: text().notNull(),
    space: uuid().notNull(),
    /** `running`: held while a worker executes the run; `live`: held until the run ends. */
    hold: text({ enum: ["running", "live"] }).notNull(),
    /** `called`: a slot became free for the run, which a worker may now claim. */
    state: text({ enum: ["free", "waiting", "called", "held"] }).notNull(),
    /** The order in which waiting runs are called. */
    place: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.runId, table.key] }),
    index("run_slots_line").on(
      table.accountId,
      table.space,
      table.key,
      table.state,
      table.place,
      table.runId,
    ),
  ],
);

/** Signals that a key has to be processed: a slot was freed or requested, or the number of slots has changed. */
export const slotSignals = pgTable(
  "slot_signals",
  {
    accountId: accountId(),
    id: uuid().notNull().default(sql`uuidv7()`),
    space: uuid().notNull(),
    key: text().notNull(),
    /** The key's new number of slots, if a new run changes it. */
    most: integer(),
    /** The place of the first waiting run that the signal's sender saw; signals are processed in this order. */
    firstPlace: instant().notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("slot_signals_order").on(table.accountId, table.firstPlace),
    index("slot_signals_key").on(table.accountId, table.space, table.key),
  ],
);
