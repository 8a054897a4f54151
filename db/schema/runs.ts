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
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idEndIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A durable run of a capability. Payloads are JSON as UTF-8, sealed where the tier is `strict`, null once purged. */
export const runs = pgTable(
  "runs",
  {
    accountId: accountId(),
    id: typeId("run")().notNull(),
    ...assignment(),
    serviceId: text().notNull(),
    operationId: text().notNull(),
    /** A short name from its input: a workflow's name, an agent's task. Null on the tier `strict`, and once purged. */
    name: text(),
    /** The run that it is a retry of. */
    retryOf: typeId("run")(),
    /** The run whose step created it. */
    parentId: typeId("run")(),
    /** The number of ancestor runs, each of which waits for the next; 0 if no run waits for this one. */
    depth: integer().notNull().default(0),
    /** The stored workflow that it runs, with the version chosen at creation; null for other runs. */
    workflowId: typeId("wf")(),
    workflowName: text(),
    workflowVersion: integer(),
    /** The trigger that started it, and the scheduled time. */
    triggerId: typeId("trg")(),
    scheduledAt: instant(),
    /** The length of the chain of runs above it, each of which caused the event that started the next. */
    triggerDepth: integer().notNull().default(0),
    /** The requested start time of a delayed run. */
    startsAt: instant(),
    /**
     * The debounce key: until the run starts, a later call under this key replaces it. `debouncedSince` is the time of
     * the first call.
     */
    debounceSpace: uuid(),
    debounceKey: text(),
    debouncedSince: instant(),
    /**
     * The start time of a delayed run that has not started: it holds no credits and does not count as live. Null once
     * started.
     */
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
    /** Each point counts as a minute of waiting when the account's runs are claimed. */
    priority: integer().notNull().default(0),
    connectionId: typeId("conn")(),
    /** The key or member who created it, with whose current rights its actions are judged. */
    callerType: text({ enum: ["key", "member"] }).notNull(),
    callerId: uuid().notNull(),
    /** The calling key with its ancestors, whose `maxConcurrent` counts the run while it lives. */
    keyIds: typeId("key")().array().notNull(),
    privacyTier: text({ enum: ["standard", "private", "strict"] }).notNull(),
    requestId: text().notNull(),
    heldCredits: bigint({ mode: "number" }).notNull(),
    chargedCredits: bigint({ mode: "number" }).notNull().default(0),
    /** The held credits that it has used and that are charged however it ends, e.g. for a model's tokens. */
    usedCredits: bigint({ mode: "number" }).notNull().default(0),
    usedUnits: integer().notNull().default(0),
    /** True if the account's events are stored while it lives, since a step of it may look back for them. */
    keepsEvents: boolean().notNull().default(false),
    /** The worker that has claimed it; null if none has. */
    worker: text(),
    /** Incremented by each claim, so that writes of an earlier worker match no row. */
    fence: integer().notNull().default(0),
    /** The number of lines its handler has logged; when the handler runs again, it skips as many. */
    logged: integer().notNull().default(0),
    /** How many workers have died while executing it, since its last finished step. */
    crashes: integer().notNull().default(0),
    /** Since when a worker may take it. */
    readyAt: instant(),
    /** The concurrency keys whose slots it needs; null if it needs none. */
    concurrency: jsonb().$type<{ key: string; limit: number; hold: "running" | "live" }[]>(),
    /** The time since which it waits for a slot; null once a worker has claimed it. */
    queuedAt: instant(),
    /** When its wait times out and it becomes ready. */
    wakeAt: instant(),
    /** True if something it waits for happened while a worker executed it. */
    woken: boolean().notNull().default(false),
    /** The number of its newest timeline entry. */
    lastSeq: integer().notNull().default(0),
    /**
     * The bytes of its stored content, and those already counted in its account's sum; null for runs older than these
     * columns.
     */
    keptBytes: bigint({ mode: "number" }).default(0),
    countedBytes: bigint({ mode: "number" }).default(0),
    createdAt: createdAt(),
    startedAt: instant(),
    expiresAt: instant().notNull(),
    finishedAt: instant(),
    /** When the account had its payloads deleted. */
    forgottenAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // The expression by which claim_runs orders. Not `ready_at - …`: PostgreSQL does not index a timestamptz minus an
    // interval of minutes.
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
    idEndIndex("runs", table.accountId, table.id),
    endUserIndex("runs", table),
    // Only ended runs, here and in the index of operations: the steps of a run cost no entries.
    index("runs_ended")
      .on(table.accountId, table.status, table.id)
      .where(sql`finished_at is not null`)
      .concurrently(),
    index("runs_operation")
      .on(table.accountId, table.operationId, table.id)
      .where(sql`finished_at is not null`)
      .concurrently(),
    index("runs_service").on(table.accountId, table.serviceId, table.id).concurrently(),
    index("runs_project")
      .on(table.accountId, table.projectId, table.id)
      .where(sql`project_id is not null`)
      .concurrently(),
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
 * The journal: a run's steps by name. `sent` is an outside effect without a response yet, `waiting` a wait or an
 * approval, `noted` a value that a replay must find unchanged and that is no step of its own. Partitioned by the run's
 * id.
 */
export const runSteps = pgTable(
  "run_steps",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    name: text().notNull(),
    state: text({ enum: ["sent", "waiting", "done", "noted"] }).notNull(),
    /** The step's output, stored like the run's own payloads. */
    output: bytes(),
    wakeAt: instant(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.name] })],
);

/**
 * The partial output of a step's model, for followers of the run; stored like payloads, and never on the tier `strict`.
 * Unlogged: a crash of the database empties it, and the complete output is in the journal.
 */
export const runOutput = pgTable(
  "run_output",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
    /** The number of the newest timeline entry when the step began to write. */
    seq: integer().notNull(),
    /** The number of characters that the step wrote before this piece. */
    offset: integer().notNull(),
    step: text().notNull(),
    text: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId, table.seq, table.offset] })],
);

/** The runs of each tag, newest last. */
export const runTags = pgTable(
  "run_tags",
  {
    accountId: accountId(),
    tag: text().notNull(),
    runId: typeId("run")().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.tag, table.runId] })],
);

/** Ended runs whose parent is still to be woken, or whose children are still to be cancelled. */
export const runEnds = pgTable(
  "run_ends",
  {
    accountId: accountId(),
    runId: typeId("run")().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.runId] })],
);

/** Changes of state whose events are still to be emitted, by the number of their timeline entry. The table has an old name. */
export const runEventsDue = pgTable(
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
