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

/** A condition on an event, as it is sent. */
export interface EventCondition {
  path: string;
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  value: unknown;
}

/**
 * An event of an account's own, by `managed-events`: runs that wait for it go on. Beside them what runs have taken of the
 * platform's events, with the id that those have, in no space.
 */
export const sentEvents = pgTable(
  "sent_events",
  {
    accountId: accountId(),
    id: typeId("sev")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, as that of workflows: within it an event is seen. */
    space: uuid().notNull(),
    name: text().notNull(),
    key: text(),
    /** What the sender calls it, for a day, so that it counts once. */
    reference: text(),
    /** JSON as UTF-8, sealed where the tier is `strict`. */
    data: bytes().notNull(),
    privacyTier: text({ enum: ["standard", "private", "strict"] }).notNull(),
    /** How many runs went on by it. */
    resumed: integer().notNull().default(0),
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

/** What a step of a run waits for: one row for each of its events. The first that comes stands in it, and the others go. */
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
    /** Null: whatever the event's is. */
    key: text(),
    conditions: jsonb().$type<EventCondition[]>(),
    /** Since when events that were sent before count too; null once they were looked through. */
    since: instant(),
    /** When the step began to wait. */
    at: instant().notNull(),
    /** Until when it waits. */
    until: instant().notNull(),
    /** Whether it is an event of the platform: one that the run's creator could read. */
    ofPlatform: boolean().notNull().default(false),
    /** The event that came; then it waits no more, and no other step of the run takes that one. */
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
