import { sql } from "drizzle-orm";
import {
  bigint,
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
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idEndIndex,
  instant,
  typeId,
  wholeText,
} from "../columns.ts";
import type { EventCondition } from "./sent-events.ts";

/** When a trigger starts runs: at the times of a crontab line, every so often, or once. */
export type Schedule = { cron: string; timezone: string } | { everySeconds: number } | { at: string };

/** Triggers, which start runs (`managed-triggers`). */
export const triggers = pgTable(
  "triggers",
  {
    accountId: accountId(),
    id: typeId("trg")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, like that of workflows; names are unique within it. */
    space: uuid().notNull(),
    name: text().notNull(),
    /** Null if events or, without `event`, an inbound webhook start its runs. */
    schedule: jsonb().$type<Schedule>(),
    /** The name of the events that start its runs, and the conditions on them. */
    event: text(),
    conditions: jsonb().$type<EventCondition[]>(),
    /** True for a platform event, which the owner must be allowed to read. */
    ofPlatform: boolean().notNull().default(false),
    serviceId: text().notNull(),
    operationId: text().notNull(),
    /** The body with which runs are created, without service and operation: JSON with all digits of its numbers. */
    start: text().notNull(),
    overlap: text({ enum: ["skip", "queue_one", "allow", "cancel_previous"] }).notNull(),
    catchUpSeconds: integer().notNull(),
    jitterSeconds: integer().notNull(),
    pauseAfterFailures: integer(),
    /** The stored workflow version that it starts, which is kept as long as the trigger is. */
    workflowId: typeId("wf")(),
    workflowVersion: integer(),
    /** The key or member that stored it last; its runs are created on their behalf. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    /** Null while it is not paused. */
    pausedReason: text({ enum: ["manual", "owner_ended", "failing", "no_credits"] }),
    /** The start of the first interval of `everySeconds`. */
    anchorAt: instant().notNull(),
    /** The first tick without a row; null if none follows, or while it is paused for another reason than credits. */
    nextAt: instant(),
    /** When a worker next has to handle it. */
    dueAt: instant(),
    /** The time since which a worker may claim it; null if none may. */
    readyAt: instant(),
    claimedBy: text(),
    /** Incremented by each claim, so that writes of an earlier worker match no row. */
    fence: integer().notNull().default(0),
    /** How many more events may wait for their runs before those that wait are counted again. */
    eventRoom: integer().notNull().default(0),
    /** The number of runs or starts that have failed since the last success. */
    failures: integer().notNull().default(0),
    lastRunId: typeId("run")(),
    lastError: jsonb().$type<{ code: string; message: string; at: string }>(),
    /** The credits that a start needs, while it is paused for credits. */
    neededCredits: bigint({ mode: "number" }),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("triggers", table.accountId, table.id),
    endUserIndex("triggers", table),
    uniqueIndex("triggers_name").on(table.accountId, table.space, table.name),
    index("triggers_by_name").on(table.accountId, wholeText(table.name), table.id).concurrently(),
    // A tick of a schedule writes neither paused nor ended triggers.
    index("triggers_paused")
      .on(table.accountId, table.id)
      .where(sql`paused_reason is not null`)
      .concurrently(),
    index("triggers_ended")
      .on(table.accountId, table.id)
      .where(sql`paused_reason is null and next_at is null and schedule is not null`)
      .concurrently(),
    index("triggers_list").on(table.accountId, table.space, table.id),
    index("triggers_next").on(table.accountId, table.nextAt).where(sql`next_at is not null`),
    index("triggers_event").on(table.accountId, table.space, table.event).where(sql`event is not null`),
    index("triggers_platform").on(table.accountId, table.event).where(sql`of_platform`),
    index("triggers_due").on(table.dueAt).where(sql`due_at is not null`),
    index("triggers_ready").on(table.accountId, table.readyAt).where(sql`ready_at is not null`),
    index("triggers_claimed").on(table.claimedBy).where(sql`claimed_by is not null`),
    index("triggers_owner").on(table.accountId, table.callerId),
    index("triggers_unfunded")
      .on(table.accountId, table.neededCredits)
      .where(sql`paused_reason = 'no_credits'`),
    index("triggers_workflow")
      .on(table.accountId, table.workflowId, table.workflowVersion)
      .where(sql`workflow_id is not null`),
  ],
);

/** A tick: a time or an event at which a trigger starts a run, with its outcome. */
export const triggerTicks = pgTable(
  "trigger_ticks",
  {
    accountId: accountId(),
    triggerId: typeId("trg")().notNull(),
    /** The scheduled time; for a start by hand the time of the call, for an event about the time of its arrival. */
    at: instant().notNull(),
    kind: text({ enum: ["schedule", "event", "fire", "backfill"] }).notNull(),
    state: text({ enum: ["waiting", "started", "skipped", "missed", "refused"] }).notNull(),
    /** The time of its next attempt; null while it waits for the end of a run. */
    tryAt: instant(),
    runId: typeId("run")(),
    /** The event, and the `triggerDepth` of the run that it starts. */
    eventId: typeId("sev")(),
    depth: integer().notNull().default(0),
    /** Why it has started no run. */
    error: jsonb().$type<{ code: string; message: string }>(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.triggerId, table.at] }),
    index("trigger_ticks_waiting")
      .on(table.accountId, table.triggerId, table.tryAt)
      .where(sql`state = 'waiting'`),
    uniqueIndex("trigger_ticks_event")
      .on(table.accountId, table.triggerId, table.eventId)
      .where(sql`event_id is not null`),
    index("trigger_ticks_old").on(table.at).where(sql`state <> 'waiting'`),
  ],
);

/** The inbound webhook of a trigger: the address to which a provider delivers, and its signature scheme. */
export const inboundWebhooks = pgTable(
  "inbound_webhooks",
  {
    accountId: accountId(),
    triggerId: typeId("trg")().notNull(),
    scheme: text({
      enum: ["standard", "stripe", "github", "slack", "shopify", "hmac_sha256", "none"],
    }).notNull(),
    /** The header of the signature, for schemes that do not define it. */
    headerName: text(),
    /** The signing secret, sealed; null if deliveries are not signed. */
    secret: bytes(),
    secretFingerprint: text(),
    requestsPerMinute: integer().notNull(),
    /** The hash of the address's token. */
    tokenHash: text().notNull(),
    /** The token itself, sealed, so that the address can be read again. */
    token: bytes().notNull(),
    /** The previous address, and until when it accepts deliveries. */
    previousTokenHash: text(),
    previousUntil: instant(),
    /** The number of deliveries that were refused because of their signature. */
    rejected: bigint({ mode: "number" }).notNull().default(0),
    /** The minute of the last counted delivery, and the number of deliveries in it. */
    minute: instant(),
    taken: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.triggerId] }),
    uniqueIndex("inbound_webhooks_token").on(table.tokenHash),
    index("inbound_webhooks_previous")
      .on(table.previousTokenHash)
      .where(sql`previous_token_hash is not null`),
  ],
);
