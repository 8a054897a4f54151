import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { RUN_STATUSES } from "#server/runs/statuses.ts";
import { accountId, assignment, bytes, createdAt, instant, searchIndexes, typeId } from "../columns.ts";

/** A durable run of a capability. Payloads are JSON as UTF-8, sealed where the tier is `strict`, null once purged. */
export const runs = pgTable(
  "runs",
  {
    accountId: accountId(),
    id: typeId("run")().notNull(),
    ...assignment(),
    serviceId: text().notNull(),
    operationId: text().notNull(),
    /** What it is about, of its input: a workflow's name, an agent's task. Null on the tier `strict`, and once purged. */
    name: text(),
    /** The run that it is a retry of. */
    retryOf: typeId("run")(),
    /** The run whose step created it. */
    parentId: typeId("run")(),
    /** How many runs are above it of which each waits for the next one; 0 for a run that no other waits for. */
    depth: integer().notNull().default(0),
    /** The stored workflow that it runs, with the version that was chosen when it was made; null for other runs. */
    workflowId: typeId("wf")(),
    workflowName: text(),
    workflowVersion: integer(),
    /** The trigger that started it, with the time of the schedule that it is for. */
    triggerId: typeId("trg")(),
    scheduledAt: instant(),
    /** How many runs are above it of which each brought about the event that started the next. */
    triggerDepth: integer().notNull().default(0),
    /** When it was to start, where it was created to start later. */
    startsAt: instant(),
    /** Where further calls under this key replace it until it has come to its start; the first of them came then. */
    debounceSpace: uuid(),
    debounceKey: text(),
    debouncedSince: instant(),
    /** Until when it does not count yet: it holds no credits and is no live run. Null for one that has come to its start. */
    delayedUntil: instant(),
    status: text({
      enum: RUN_STATUSES,
    }).notNull(),
    input: bytes(),
    result: bytes(),
    error: jsonb().$type<{ code: string; message: string; step: string | null }>(),
    progress: doublePrecision(),
    attempt: integer().notNull().default(0),
    maxAttempts: integer().notNull(),
    tags: text().array().notNull().default([]),
    /** For each, it is claimed as if it had waited a minute longer; among the runs of its account. */
    priority: integer().notNull().default(0),
    connectionId: typeId("conn")(),
    /** The key or the member who created it: what the run does is judged as theirs, when it does it. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    /** The calling key with its ancestors, whose `maxConcurrent` counts the run while it lives. */
    keyIds: typeId("key")().array().notNull(),
    privacyTier: text({ enum: ["standard", "private", "strict"] }).notNull(),
    requestId: text().notNull(),
    heldCredits: bigint({ mode: "number" }).notNull(),
    chargedCredits: bigint({ mode: "number" }).notNull().default(0),
    /** What it has used up that is charged however it ends, e.g. a model's tokens; of what is held. */
    usedCredits: bigint({ mode: "number" }).notNull().default(0),
    usedUnits: integer().notNull().default(0),
    /** Whether the account's events are kept while it lives, as a step of it may look back for them. */
    keepsEvents: boolean().notNull().default(false),
    /** The worker that holds it; null while nobody works on it. */
    worker: text(),
    /** Rises with every claim: what an earlier holder still writes matches no row. */
    fence: integer().notNull().default(0),
    /** How many lines its handler has logged: a handler that runs again passes by as many. */
    logged: integer().notNull().default(0),
    /** How often a worker died with it since its last finished step. */
    crashes: integer().notNull().default(0),
    /** Since when a worker may take it. */
    readyAt: instant(),
    /** The slots that it needs while a worker has it, each among the runs of its key; null where it needs none. */
    concurrency: jsonb().$type<{ key: string; limit: number; hold: "running" | "live" }[]>(),
    /** Since when it waits for a slot, until a worker takes it. */
    queuedAt: instant(),
    /** When it becomes ready by itself. */
    wakeAt: instant(),
    /** Something it waits for has happened while a worker held it. */
    woken: boolean().notNull().default(false),
    /** The number of its newest timeline entry. */
    lastSeq: integer().notNull().default(0),
    /** The bytes of what is kept of it, and those that its account's sum has; null for runs older than these columns. */
    keptBytes: bigint({ mode: "number" }).default(0),
    countedBytes: bigint({ mode: "number" }).default(0),
    createdAt: createdAt(),
    startedAt: instant(),
    expiresAt: instant().notNull(),
    finishedAt: instant(),
    /** When its payloads were deleted for its account. */
    forgottenAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // As claim_runs orders by it. Not `ready_at - …`: of a moment minus minutes PostgreSQL makes no index.
    index("runs_ready")
      .on(
        table.accountId,
        sql`((coalesce(queued_at, ready_at) - timestamptz '2000-01-01 00:00:00+00') - priority * interval '1 minute')`,
      )
      .where(sql`ready_at is not null`),
    index("runs_wake").on(table.wakeAt).where(sql`wake_at is not null`),
    index("runs_worker").on(table.worker).where(sql`worker is not null`),
    index("runs_live").on(table.accountId, table.id).where(sql`finished_at is null`),
    index("runs_purge")
      .on(table.finishedAt)
      .where(sql`privacy_tier <> 'standard' and (input is not null or result is not null)`),
    index("runs_expiry").on(table.expiresAt).where(sql`finished_at is null`),
    ...searchIndexes("runs_name", table.accountId, table.name),
    index("runs_retries").on(table.accountId, table.retryOf, table.id).where(sql`retry_of is not null`),
    index("runs_children").on(table.accountId, table.parentId, table.id).where(sql`parent_id is not null`),
    index("runs_workflow")
      .on(table.accountId, table.workflowId, table.workflowVersion, table.id)
      .where(sql`workflow_id is not null`),
    uniqueIndex("runs_trigger")
      .on(table.accountId, table.triggerId, table.scheduledAt)
      .where(sql`trigger_id is not null`),
    index("runs_triggered").on(table.accountId, table.triggerId, table.id).where(sql`trigger_id is not null`),
    index("runs_trigger_live")
      .on(table.accountId, table.triggerId)
      .where(sql`trigger_id is not null and finished_at is null`),
    index("runs_keeping").on(table.accountId).where(sql`keeps_events and finished_at is null`),
    uniqueIndex("runs_debounced")
      .on(table.accountId, table.debounceSpace, table.serviceId, table.operationId, table.debounceKey)
      .where(sql`debounce_key is not null and delayed_until is not null`),
    index("runs_delayed").on(table.delayedUntil).where(sql`delayed_until is not null`),
    index("runs_workflow_live")
      .on(table.accountId, table.workflowId, table.workflowVersion)
      .where(sql`workflow_id is not null and finished_at is null`),
  ],
);

/**
 * The journal: what a run has done, by the step's name. `sent` is an outside effect without an answer yet, `waiting` a
 * wait or an approval, `noted` what a replay must find as it was though it is no step of its own. Partitioned by the run's id.
 */
export const runSteps = pgTable(
  "run_steps",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    name: text().notNull(),
    state: text({ enum: ["sent", "waiting", "done", "noted"] }).notNull(),
    /** What it answered, as the run's own payloads are stored. */
    output: bytes(),
    wakeAt: instant(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.name] })],
);

/**
 * What a step's model writes, piece by piece while it does, for followers of the run; as payloads are stored, and never on
 * the tier `strict`. Unlogged: a crash of the database empties it, and the step's answer is in the journal.
 */
export const runOutput = pgTable(
  "run_output",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    /** The last entry of the timeline when the step began to write. */
    seq: integer().notNull(),
    /** How many characters the step wrote before. */
    offset: integer().notNull(),
    step: text().notNull(),
    text: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.seq, table.offset] })],
);

/** The runs that have a tag, newest last. */
export const runTags = pgTable(
  "run_tags",
  {
    accountId: accountId(),
    tag: text().notNull(),
    runId: typeId("run")().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.tag, table.runId] })],
);

/** Ended runs of trees: the run above is still to be woken, and those below are still to be cancelled. */
export const runEnds = pgTable(
  "run_ends",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId] })],
);

/** Changes of state whose events are still to be emitted, by the number of their timeline entry. */
export const runAnnouncements = pgTable(
  "run_announcements",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    seq: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.seq] })],
);

/** Everything that happened in a run, in order. Append-only, partitioned by the run's id. */
export const runTimeline = pgTable(
  "run_timeline",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    seq: integer().notNull(),
    at: instant().notNull(),
    type: text({ enum: ["state", "step", "retry", "log", "progress"] }).notNull(),
    step: text(),
    level: text({ enum: ["info", "warn", "error"] }).notNull(),
    message: text().notNull(),
    data: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.seq] })],
);
