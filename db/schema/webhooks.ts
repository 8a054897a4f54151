import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  instant,
  jsonpath,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A condition on an event's body, as the wire shows it. */
export interface StoredCondition {
  path: string;
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** Where an account wants its events sent. */
export const webhooks = pgTable(
  "webhooks",
  {
    accountId: accountId(),
    id: typeId("wh")().notNull(),
    url: text().notNull(),
    description: text(),
    /** `*`, the name of an event, or all below one: `run.*`. */
    events: text().array().notNull(),
    /** Conditions that an event's body must all fulfil; null: none. */
    filter: jsonb().$type<StoredCondition[]>(),
    /** The same as one predicate, which the relay judges. */
    filterPath: jsonpath(),
    /** What deliveries made from now on carry. */
    payload: text({ enum: ["full", "thin"] })
      .notNull()
      .default("full"),
    /** The headers of each attempt beside the platform's own: sealed JSON, and their names. */
    headers: bytes(),
    headerNames: text().array().notNull().default([]),
    status: text({ enum: ["active", "paused", "disabled"] }).notNull(),
    disabledReason: text({ enum: ["manual", "failing", "gone", "key_revoked", "key_expired"] }),
    disabledAt: instant(),
    /** The key by whose rights events are chosen; null: the account's own, made or adopted by a member. */
    ownerKeyId: typeId("key")(),
    createdByKeyId: typeId("key")(),
    /** Sealed, so that it can sign. */
    secret: bytes().notNull(),
    previousSecret: bytes(),
    previousSecretExpiresAt: instant(),
    ...assignment(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhooks_owner").on(table.accountId, table.ownerKeyId).where(sql`owner_key_id is not null`),
    ...searchIndexes("webhooks_url", table.accountId, table.url),
    ...searchIndexes("webhooks_description", table.accountId, table.description),
  ],
);

/** How an endpoint does, and when there is next something to send to it: what the workers share about it. */
export const webhookHealth = pgTable(
  "webhook_health",
  {
    accountId: accountId(),
    webhookId: typeId("wh")().notNull(),
    /** Null: nothing waits. */
    dueAt: instant(),
    /** The one worker that sends to it; the claim ends at once when that worker dies. */
    claimedBy: text(),
    failures: integer().notNull().default(0),
    /** The first failure since the last success. */
    failingSince: instant(),
    warnedAt: instant(),
    lastSuccessAt: instant(),
    lastFailureAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.webhookId] }),
    index("webhook_health_due").on(table.dueAt).where(sql`due_at is not null and claimed_by is null`),
    index("webhook_health_claimed").on(table.claimedBy).where(sql`claimed_by is not null`),
  ],
);

/** How many events there have been about a thing. */
export const eventSequences = pgTable(
  "event_sequences",
  {
    accountId: accountId(),
    resource: text().notNull(),
    sequence: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.resource] })],
);

/** What is known of an event: what is sent, and what a webhook's owner must be able to read to get it. */
const eventFacts = () => ({
  accountId: accountId(),
  id: typeId("whe")().notNull(),
  type: text().notNull(),
  scope: text().notNull(),
  serviceId: text(),
  /** The event is for this key and those above it only. */
  keyId: typeId("key")(),
  /** Whether it is about the whole account, and so read from within any project. */
  accountWide: boolean().notNull(),
  ...assignment(),
  /** The body of every delivery, byte for byte. */
  payload: text().notNull(),
});

/** Events as the change's own transaction leaves them, until the relay fans them out. */
export const outbox = pgTable("outbox", eventFacts(), (table) => [
  primaryKey({ columns: [table.accountId, table.id] }),
  index("outbox_id").on(table.id),
]);

/** Events that were fanned out, kept for attempts to come and for replays. Partitioned by id. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    ...eventFacts(),
    /** Its place among the account's events, in the order of their commits; null where nobody followed them. */
    position: bigint({ mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_events_position").on(table.accountId, table.position).where(sql`position is not null`),
  ],
);

/** Accounts whose events are followed by streams, or were within the last hour: those get a position. */
export const eventListeners = pgTable("event_listeners", {
  accountId: accountId().primaryKey(),
  /** Of the newest event. */
  position: bigint({ mode: "number" }).notNull(),
  /** Every event after this one has a position. */
  since: bigint({ mode: "number" }).notNull(),
  /** Until when events get positions though nobody comes back. */
  until: instant().notNull(),
});

/** An attempt to deliver, as the wire shows it. */
export interface StoredAttempt {
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
  responseSnippet: string | null;
}

const deliveryFacts = () => ({
  accountId: accountId(),
  id: typeId("del")().notNull(),
  webhookId: typeId("wh")().notNull(),
  eventId: typeId("whe")().notNull(),
  event: text().notNull(),
  replayOf: typeId("del")(),
  /** Whether the event's id, resource and status are sent instead of its payload. */
  thin: boolean().notNull().default(false),
  attempts: jsonb().$type<StoredAttempt[]>().notNull().default(sql`'[]'`),
  ...assignment(),
});

/** Deliveries that are not finished. */
export const webhookQueue = pgTable(
  "webhook_queue",
  {
    ...deliveryFacts(),
    dueAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_queue_due").on(table.accountId, table.webhookId, table.dueAt),
  ],
);

/** Deliveries that are finished, written once. Partitioned by id. */
export const webhookHistory = pgTable(
  "webhook_history",
  {
    ...deliveryFacts(),
    status: text({ enum: ["succeeded", "failed", "abandoned"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_history_webhook").on(table.accountId, table.webhookId, table.id),
    index("webhook_history_event").on(table.accountId, table.eventId),
    index("webhook_history_unsent")
      .on(table.accountId, table.status, table.id)
      .where(sql`status <> 'succeeded'`),
  ],
);

/** Every delivery, finished or not. */
export const webhookDeliveries = pgView("webhook_deliveries", {
  ...deliveryFacts(),
  status: text({ enum: ["pending", "succeeded", "failed", "abandoned"] }).notNull(),
  nextAttemptAt: instant(),
}).as(sql`
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status, null::timestamptz(3) as next_attempt_at
  from webhook_history
  union all
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, 'pending', due_at
  from webhook_queue`);
