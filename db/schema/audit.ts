import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { OUTCOMES } from "#server/audit/outcomes.ts";
import { accountId, assignment, bytes, instant, typeId } from "../columns.ts";

/** The key that refused a call, the failed check, and the limit that refused it; ids as in the API. */
export interface StoredRefusal {
  check: "scope" | "service" | "operation" | "limit";
  keyId: string | null;
  limit: {
    operation: string;
    kind: "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
    limit: number;
  } | null;
}

/** The columns of a request that are known when it is answered. */
const facts = () => ({
  accountId: accountId(),
  /** A UUIDv7 of `at`, so that ordering by id is ordering by time, and a range of time is a range of ids. */
  id: typeId("evt")().notNull(),
  at: instant().notNull(),
  actorType: text({ enum: ["key", "member", "system"] }).notNull(),
  actorId: uuid(),
  actorLabel: text(),
  operation: text().notNull(),
  /** The most exact limit operation, e.g. `services.invoke.managed-memory.put`. */
  selector: text().notNull(),
  /** True if the call counted against its limits. */
  counted: boolean().notNull(),
  resource: text(),
  outcome: text({ enum: OUTCOMES }).notNull(),
  status: integer().notNull(),
  errorCode: text(),
  requestId: text().notNull(),
  ...assignment(),
  ip: text(),
  userAgent: text(),
  durationMs: integer().notNull(),
  chargedCredits: bigint({ mode: "number" }).notNull().default(0),
  secretVersion: integer(),
  /** Details for people; not part of the chain's hash. */
  refusal: jsonb().$type<StoredRefusal>(),
  /** The request whose stored response this request got; like `refusal`, not part of the hash. */
  replayOf: text(),
});

/**
 * Events that are not chained yet, for less than a second: written by the request's own transaction, moved by the
 * sealer.
 */
export const auditPending = pgTable("audit_pending", facts(), (table) => [
  primaryKey({ columns: [table.accountId, table.id] }),
]);

/**
 * One row per authenticated request and per action of the system, in its account's hash chain. Partitioned by id. A row
 * is written once; only its personal fields can be erased, and their digests keep the hash verifiable.
 */
export const auditChain = pgTable(
  "audit_chain",
  {
    ...facts(),
    /**
     * Salts of 16 bytes for the digests of label, ip, user agent and end user, in this order; each is erased with its
     * field.
     */
    salt: bytes().notNull(),
    actorLabelDigest: bytes(),
    ipDigest: bytes(),
    userAgentDigest: bytes(),
    endUserDigest: bytes(),
    sequence: bigint({ mode: "number" }).notNull(),
    previousHash: bytes().notNull(),
    hash: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Each filter of the list has an index in the list's order, so that a page stays fast among millions of rows.
    index("audit_chain_sequence").on(table.accountId, table.sequence),
    index("audit_chain_request").on(table.accountId, table.requestId),
    index("audit_chain_operation").on(table.accountId, table.operation, table.id),
    index("audit_chain_actor").on(table.accountId, table.actorId, table.id),
    index("audit_chain_refused")
      .on(table.accountId, table.outcome, table.id)
      .where(sql`outcome <> 'allowed'`),
    index("audit_chain_project")
      .on(table.accountId, table.projectId, table.id)
      .where(sql`project_id is not null`),
    index("audit_chain_end_user")
      .on(table.accountId, table.endUserId, table.id)
      .where(sql`end_user_id is not null`),
    // For queries by time over all accounts; rows are written in the order of time, so the index is tiny.
    index("audit_chain_time").using("brin", table.id),
  ],
);

/** Every event, chained or not. */
export const auditEvents = pgView("audit_events", {
  ...facts(),
  sequence: bigint({ mode: "number" }),
  previousHash: bytes(),
  hash: bytes(),
}).as(sql`
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    refusal, replay_of, sequence, previous_hash, hash
  from audit_chain
  union all
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    refusal, replay_of, null, null, null
  from audit_pending`);

/** The end of an account's hash chain, and the beginning of its stored part. */
export const auditHeads = pgTable("audit_heads", {
  accountId: typeId("acct")().primaryKey(),
  sequence: bigint({ mode: "number" }).notNull(),
  hash: bytes().notNull(),
  /** Events up to this sequence were deleted with dropped partitions; the head at this sequence was signed before. */
  droppedSequence: bigint({ mode: "number" }).notNull().default(0),
  /** Events up to this sequence are in the archives of `audit_archives`. */
  archivedSequence: bigint({ mode: "number" }).notNull().default(0),
});

/** An archive: a part of an account's chain in the blob store, in the format of an export. */
export const auditArchives = pgTable(
  "audit_archives",
  {
    accountId: accountId(),
    firstSequence: bigint({ mode: "number" }).notNull(),
    lastSequence: bigint({ mode: "number" }).notNull(),
    /** The lowest and the highest id of its events, which determine its period. */
    firstId: typeId("evt")().notNull(),
    lastId: typeId("evt")().notNull(),
    blobKey: uuid().notNull(),
    sizeBytes: integer().notNull(),
    sha256: bytes().notNull(),
    /**
     * The values that lists filter by, such as `operation:projects.create`; `actor:*` stands for many actors of one
     * kind.
     */
    facets: text().array().notNull(),
    /** The first four bytes of each request id's digest. */
    requests: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.firstSequence] }),
    index("audit_archives_time").on(table.accountId, table.lastId),
  ],
);

/** The keys that open names in archived events, one per actor or end user; erasing a person deletes theirs. */
export const auditPersonKeys = pgTable(
  "audit_person_keys",
  {
    accountId: accountId(),
    personId: uuid().notNull(),
    key: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.personId] })],
);

/** A signed head (Ed25519); heads are signed hourly and before a partition is dropped. */
export const auditSignedHeads = pgTable(
  "audit_signed_heads",
  {
    accountId: accountId(),
    sequence: bigint({ mode: "number" }).notNull(),
    hash: bytes().notNull(),
    signedAt: instant().notNull(),
    signature: bytes().notNull(),
    publicKey: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.sequence] })],
);

/** The time until which the addresses and user agents of requests have been erased. */
export const auditErasure = pgTable("audit_erasure", {
  only: integer().primaryKey().default(1),
  until: instant().notNull(),
});

const usageColumns = () => ({
  accountId: accountId(),
  hour: instant().notNull(),
  operation: text().notNull(),
  selector: text().notNull(),
  /** The nil UUID stands for none, here and below, so that the row has a key. */
  actorId: uuid().notNull(),
  projectId: uuid().notNull(),
  endUserId: uuid().notNull(),
  actorType: text({ enum: ["key", "member", "system"] }).notNull(),
  requests: integer().notNull(),
  errors: integer().notNull(),
  limited: integer().notNull(),
  chargedCredits: bigint({ mode: "number" }).notNull(),
  /** Counts by the buckets of db/functions/histogram.sql; histograms can be added, percentiles cannot. */
  histogram: integer().array().notNull(),
});

const usageKey = (
  table: Record<"hour" | "operation" | "selector" | "actorId" | "projectId" | "endUserId", AnyPgColumn>,
) => [table.hour, table.operation, table.selector, table.actorId, table.projectId, table.endUserId];

/** Usage by hour of the events that earlier releases chained, which did not count statuses; only read and deleted. */
export const usageHours = pgTable("usage_hours", usageColumns(), (table) => [
  primaryKey({ columns: [table.accountId, ...usageKey(table)] }),
]);

/** Usage by hour and HTTP status of all later events; the sealer updates it when it chains events. */
export const usageStatusHours = pgTable(
  "usage_status_hours",
  { ...usageColumns(), status: integer().notNull() },
  (table) => [primaryKey({ columns: [table.accountId, ...usageKey(table), table.status] })],
);
