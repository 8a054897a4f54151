import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, instant, typeId } from "../columns.ts";

/** When a trigger starts runs: at the times of a crontab line, every so often, or once. */
export type Schedule = { cron: string; timezone: string } | { everySeconds: number } | { at: string };

/** What starts runs by itself, by `managed-triggers`. */
export const triggers = pgTable(
  "triggers",
  {
    accountId: accountId(),
    id: typeId("trg")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, as that of workflows: within it a name is unique. */
    space: uuid().notNull(),
    name: text().notNull(),
    schedule: jsonb().$type<Schedule>().notNull(),
    serviceId: text().notNull(),
    operationId: text().notNull(),
    /** What a run is created with, beside service and operation: JSON with every digit of its numbers. */
    start: text().notNull(),
    overlap: text({ enum: ["skip", "queue_one", "allow", "cancel_previous"] }).notNull(),
    catchUpSeconds: integer().notNull(),
    jitterSeconds: integer().notNull(),
    pauseAfterFailures: integer(),
    /** The version of a stored workflow that it names, which is not dropped meanwhile. */
    workflowId: typeId("wf")(),
    workflowVersion: integer(),
    /** The key or the member who put it last: its runs are created as theirs. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    /** Null while it is not paused. */
    pausedReason: text({ enum: ["manual", "owner_ended", "failing", "no_credits"] }),
    /** What `everySeconds` counts from. */
    anchorAt: instant().notNull(),
    /** The first tick that has no row yet; null where none follows, or while it is paused, but for want of credits. */
    nextAt: instant(),
    /** When a worker is to look at it. */
    dueAt: instant(),
    /** Since when a worker may take it. */
    readyAt: instant(),
    claimedBy: text(),
    /** Rises with every claim: what an earlier holder still writes matches no row. */
    fence: integer().notNull().default(0),
    /** How many runs or starts have failed since one succeeded. */
    failures: integer().notNull().default(0),
    lastRunId: typeId("run")(),
    lastError: jsonb().$type<{ code: string; message: string; at: string }>(),
    /** What a start needs, while it is paused for want of credits. */
    neededCredits: bigint({ mode: "number" }),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("triggers_name").on(table.accountId, table.space, table.name),
    index("triggers_list").on(table.accountId, table.space, table.id),
    index("triggers_next").on(table.accountId, table.nextAt).where(sql`next_at is not null`),
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

/** A time at which a trigger starts a run, with what has become of it. */
export const triggerTicks = pgTable(
  "trigger_ticks",
  {
    accountId: accountId(),
    triggerId: typeId("trg")().notNull(),
    /** The time of the schedule; of a start by hand the moment that it was asked for. */
    at: instant().notNull(),
    kind: text({ enum: ["schedule", "fire", "backfill"] }).notNull(),
    state: text({ enum: ["waiting", "started", "skipped", "missed", "refused"] }).notNull(),
    /** From when on it is tried; null while it waits for the end of a run. */
    tryAt: instant(),
    runId: typeId("run")(),
    /** Why it has started none. */
    error: jsonb().$type<{ code: string; message: string }>(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.triggerId, table.at] }),
    index("trigger_ticks_waiting")
      .on(table.accountId, table.triggerId, table.tryAt)
      .where(sql`state = 'waiting'`),
    index("trigger_ticks_old").on(table.at).where(sql`state <> 'waiting'`),
  ],
);
