import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { accountId, assignment, bytes, instant, typeId } from "../columns.ts";

/** A condition on an event, in the form of the API. */
export interface EventCondition {
  path: string;
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  value?: unknown;
}

/**
 * Events that an account has sent (`managed-events`), which resume waiting runs. Also platform events that runs have
 * received, with the ids of these and the nil UUID as space; and deliveries of inbound webhooks, with the trigger's id as
 * space.
 */
export const sentEvents = pgTable(
  "sent_events",
  {
    accountId: accountId(),
    id: typeId("sev")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, like that of workflows; an event is visible within it. */
    space: uuid().notNull(),
    name: text().notNull(),
    key: text(),
    /** The idempotency reference of the sender, kept for a day. */
    reference: text(),
    /** JSON as UTF-8, sealed where the tier is `strict`. */
    data: bytes().notNull(),
    /** The headers of an inbound webhook's delivery, stored like `data`. */
    headers: bytes(),
    privacyTier: text({ enum: ["standard", "private", "strict"] }).notNull(),
    /** The number of runs that it resumed. */
    resumed: integer().notNull().default(0),
    /** The number of triggers that start a run by it. */
    started: integer().notNull().default(0),
    sentAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("sent_events_name").on(table.accountId, table.space, table.name, table.sentAt),
    uniqueIndex("sent_events_reference")
      .on(table.accountId, table.space, table.reference)
      .where(sql`reference is not null`),
    index("sent_events_old").on(table.sentAt),
  ],
);

/** The waits of steps, one row for each event of a step. The first event is stored in its row, and the others are deleted. */
export const eventWaits = pgTable(
  "event_waits",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    /** The step's name in the journal. */
    step: text().notNull(),
    nth: integer().notNull(),
    space: uuid().notNull(),
    name: text().notNull(),
    /** Null: events with any key. */
    key: text(),
    conditions: jsonb().$type<EventCondition[]>(),
    /** Events that were sent since then count, too; null once these have been searched. */
    since: instant(),
    /** When the step began to wait. */
    at: instant().notNull(),
    /** When the wait times out. */
    until: instant().notNull(),
    /** True for a platform event, which the run's creator must be allowed to read. */
    ofPlatform: boolean().notNull().default(false),
    /** The event that ended the wait; no other step of the run receives the same event. */
    eventId: typeId("sev")(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.runId, table.step, table.nth] }),
    index("event_waits_open")
      .on(table.accountId, table.space, table.name, table.key)
      .where(sql`event_id is null`),
    index("event_waits_platform")
      .on(table.accountId, table.name)
      .where(sql`event_id is null and of_platform`),
  ],
);
