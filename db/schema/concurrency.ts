import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, instant, typeId } from "../columns.ts";

/** Keys under which so many runs may go on at once, shared by all services of an account, project and end user. */
export const concurrencyKeys = pgTable(
  "concurrency_keys",
  {
    accountId: accountId(),
    /** A digest of account, project and end user. */
    space: uuid().notNull(),
    key: text().notNull(),
    /** How many slots it has: what the newest run said. */
    most: integer().notNull(),
    /** When it was last looked at, to about an hour. */
    usedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.space, table.key] })],
);

/** What a run that has not ended needs of each of its keys. Slots that are held are counted here, and nowhere else. */
export const runSlots = pgTable(
  "run_slots",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    key: text().notNull(),
    space: uuid().notNull(),
    /** Whether it is held while a worker has the run, or until the run's end. */
    hold: text({ enum: ["running", "live"] }).notNull(),
    /** `called`: there was room for it, and the run is ready to be taken. */
    state: text({ enum: ["free", "waiting", "called", "held"] }).notNull(),
    /** The order in which those that wait are called. */
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

/** Keys that are to be looked at: a slot was freed, or asked for, or the number of slots has changed. */
export const slotSignals = pgTable(
  "slot_signals",
  {
    accountId: accountId(),
    id: uuid().notNull().default(sql`uuidv7()`),
    space: uuid().notNull(),
    key: text().notNull(),
    /** How many slots the key has from now on, where a new run says so. */
    most: integer(),
    /** The place of the first run that waits for the key, as far as the signal's sender saw it: the order of signals. */
    firstPlace: instant().notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("slot_signals_order").on(table.accountId, table.firstPlace),
    index("slot_signals_key").on(table.accountId, table.space, table.key),
  ],
);
