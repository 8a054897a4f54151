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
import { DELIVERY_ENDS, DELIVERY_STATUSES, WEBHOOK_STATUSES } from "#server/webhooks/statuses.ts";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idPartsIndex,
  instant,
  jsonpath,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A condition on an event's body, in its public form. */
export interface StoredCondition {
  path: string;
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** An endpoint to which an account's events are sent. */
export const webhooks = pgTable(
  "webhooks",
  {
    accountId: accountId(),
    id: typeId("wh")().notNull(),
    url: text().notNull(),
    description: text(),
    /** `*`, an event's name, or a group such as `run.*`. */
    events: text().array().notNull(),
    /** Conditions that an event's body must all meet; null: no conditions. */
    filter: jsonb().$type<StoredCondition[]>(),
    /** The same conditions as one SQL/JSON predicate, which the relay evaluates. */
    filterPath: jsonpath(),
    /** The content of new deliveries: the whole event, or its id, resource and status. */
    payload: text({ enum: ["full", "thin"] })
      .notNull()
      .default("full"),
    /** Custom headers of each attempt: sealed JSON, and their names. */
    headers: bytes(),
    headerNames: text().array().notNull().default([]),
    status: text({ enum: WEBHOOK_STATUSES }).notNull(),
    disabledReason: text({ enum: ["manual", "failing", "gone", "key_revoked", "key_expired"] }),
    disabledAt: instant(),
    /** The key whose rights select the events; null for a webhook of the account, created or adopted by a member. */
    ownerKeyId: typeId("key")(),
    /**
     * The role of the member who last chose where which events go: it receives none beyond the role's scopes. Null if a
     * key did, or an earlier release.
     */
    memberRole: text({ enum: ["owner", "admin", "developer", "approver", "viewer"] }),
    createdByKeyId: typeId("key")(),
    /** Sealed and not hashed, since it signs deliveries. */
    secret: bytes().notNull(),
    previousSecret: bytes(),
    previousSecretExpiresAt: instant(),
    ...assignment(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    endUserIndex("webhooks", table),
    idPartsIndex("webhooks", table.accountId, table.id),
    index("webhooks_owner").on(table.accountId, table.ownerKeyId).where(sql`owner_key_id is not null`),
    ...searchIndexes("webhooks_url", table.accountId, table.url),
    ...searchIndexes("webhooks_description", table.accountId, table.description),
  ],
);

/** An endpoint's health and its next due time, shared among the workers. */
export const webhookHealth = pgTable(
  "webhook_health",
  {
    accountId: accountId(),
    webhookId: typeId("wh")().notNull(),
    /** Null: no delivery waits. */
    dueAt: instant(),
    /** The one worker that sends to the endpoint; the claim ends at once when that worker dies. */
    claimedBy: text(),
    failures: integer().notNull().default(0),
    /** Time of the first failure since the last success. */
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

/** The number of events about each resource. */
export const eventSequences = pgTable(
  "event_sequences",
  {
    accountId: accountId(),
    resource: text().notNull(),
    sequence: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.resource] })],
);

/** An event's content, and the access that a webhook's owner needs to receive it. */
const eventColumns = () => ({
  accountId: accountId(),
  id: typeId("whe")().notNull(),
  type: text().notNull(),
  scope: text().notNull(),
  serviceId: text(),
  /** Set if only this key and its ancestors receive the event. */
  keyId: typeId("key")(),
  /** True if the event concerns the whole account and is visible within every project. */
  accountWide: boolean().notNull(),
  ...assignment(),
  /** The body of every full delivery, byte for byte. */
  payload: text().notNull(),
});

/** Events as committed with their change, until the relay fans them out. */
export const outbox = pgTable(
  "outbox",
  {
    ...eventColumns(),
    /** The `triggerDepth` of runs that the event starts. */
    depth: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] }), index("outbox_id").on(table.id)],
);

/** Events that were fanned out, kept for later attempts and replays. Partitioned by id. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    ...eventColumns(),
    /** The event's place in commit order among the account's events; null if no stream followed them. */
    position: bigint({ mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_events_position").on(table.accountId, table.position).where(sql`position is not null`),
  ],
);

/** Accounts whose events streams follow, or followed within the last hour; only their events get positions. */
export const eventListeners = pgTable("event_listeners", {
  accountId: accountId().primaryKey(),
  /** Position of the newest event. */
  position: bigint({ mode: "number" }).notNull(),
  /** Every event after this position has a position itself. */
  since: bigint({ mode: "number" }).notNull(),
  /** The time until which events get positions even if no stream reconnects. */
  until: instant().notNull(),
});

/** An attempt to deliver, in its public form. */
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
  /** True if the event's id, resource and status are sent in place of its payload. */
  thin: boolean().notNull().default(false),
  attempts: jsonb().$type<StoredAttempt[]>().notNull().default(sql`'[]'`),
  ...assignment(),
});

/** Unfinished deliveries. */
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

/** Finished deliveries, written once. Partitioned by id. */
export const webhookHistory = pgTable(
  "webhook_history",
  {
    ...deliveryFacts(),
    status: text({ enum: DELIVERY_ENDS }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_history_webhook").on(table.accountId, table.webhookId, table.id),
    index("webhook_history_name").on(table.accountId, table.webhookId, table.event, table.id).concurrently(),
    index("webhook_history_event").on(table.accountId, table.eventId),
    index("webhook_history_unsent")
      .on(table.accountId, table.status, table.id)
      .where(sql`status <> 'succeeded'`),
  ],
);

/** Every delivery, finished or not. */
export const webhookDeliveries = pgView("webhook_deliveries", {
  ...deliveryFacts(),
  status: text({ enum: DELIVERY_STATUSES }).notNull(),
  nextAttemptAt: instant(),
}).as(sql`
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status, null::timestamptz(3) as next_attempt_at
  from webhook_history
  union all
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, 'pending', due_at
  from webhook_queue`);
