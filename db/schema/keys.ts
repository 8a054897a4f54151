import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Limit } from "#server/keys/schema.ts";
import type { Scope } from "#server/operation/scopes.ts";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  idPartsIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A bearer key. Its policy never changes after creation; only `revokedAt` and `lastUsedAt` do. */
export const apiKeys = pgTable(
  "api_keys",
  {
    accountId: accountId(),
    id: typeId("key")().notNull(),
    label: text().notNull(),
    prefix: text().notNull(),
    /** SHA-256 of the secret. */
    hash: bytes().notNull(),
    parentId: typeId("key")(),
    /** The key itself, its parent, and so on up to its root: at most nine ids. */
    chain: typeId("key")().array().notNull(),
    depth: integer().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    /** Null: no boundary of its own. */
    allowedServices: text().array(),
    /** Exact selectors, with aggregates expanded; null: every operation registered at `operationsAsOf`. */
    allowedOperations: text().array(),
    operationsAsOf: instant().notNull(),
    expiryMode: text({ enum: ["fixed", "renewed_by_use"] }).notNull(),
    /** Null if the key is renewed by use; it then expires 30 days after `lastUsedAt`. */
    expiresAt: instant(),
    /** As sent at creation, for responses; `key_limits` has the rows that are enforced. */
    limits: jsonb().$type<Record<string, Limit>>().notNull(),
    /** True if this key or an ancestor has limits. */
    limited: boolean().notNull(),
    ...assignment(),
    privacyTier: text({ enum: ["standard", "private", "strict"] }).notNull(),
    /** The member who created it in the console. */
    memberId: typeId("mbr")(),
    createdAt: createdAt(),
    lastUsedAt: instant(),
    revokedAt: instant(),
    /** When `api_key.expiring` was emitted. */
    expiringEmittedAt: timestamp("expiring_told_at", { withTimezone: true, precision: 3, mode: "date" }),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idPartsIndex("api_keys", table.accountId, table.id),
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_prefix_parts")
      .using("gin", table.accountId, table.prefix.op("gin_trgm_ops"))
      .concurrently(),
    index("api_keys_prefix").on(table.accountId, table.prefix, table.id),
    index("api_keys_expiring")
      .on(table.expiresAt)
      .where(sql`expires_at is not null and revoked_at is null and expiring_told_at is null`),
    // Each filter of the list has an index, so that a page is fast even among a hundred thousand keys.
    index("api_keys_parent").on(table.accountId, table.parentId, table.id),
    index("api_keys_project")
      .on(table.accountId, table.projectId, table.id)
      .where(sql`project_id is not null`),
    index("api_keys_end_user")
      .on(table.accountId, table.endUserId, table.id)
      .where(sql`end_user_id is not null`),
    index("api_keys_revoked").on(table.accountId, table.id).where(sql`revoked_at is not null`),
    index("api_keys_fixed_expiry").on(table.accountId, table.expiresAt).where(sql`expires_at is not null`),
    index("api_keys_renewed").on(table.accountId, table.id).where(sql`expires_at is null`),
    ...searchIndexes("api_keys_label", table.accountId, table.label),
  ],
);

/** One row for each key and each key of its chain, itself included: finds a key's descendants in list order. */
export const keyBranches = pgTable(
  "key_branches",
  {
    accountId: accountId(),
    aboveId: typeId("key")().notNull(),
    keyId: typeId("key")().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.aboveId, table.keyId] })],
);

/** The limits of a key, one row per selector. */
export const keyLimits = pgTable(
  "key_limits",
  {
    accountId: accountId(),
    keyId: typeId("key")().notNull(),
    selector: text().notNull(),
    requestsPerMinute: integer(),
    maxConcurrent: integer(),
    creditsPerDay: bigint({ mode: "number" }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.keyId, table.selector] })],
);

/** Credits that a key's calls used on a UTC day under a selector with `creditsPerDay`, held credits included. */
export const keyDays = pgTable(
  "key_days",
  {
    accountId: accountId(),
    keyId: typeId("key")().notNull(),
    selector: text().notNull(),
    day: date().notNull(),
    used: bigint({ mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.keyId, table.selector, table.day] })],
);

/**
 * The counters of a limit. Unlogged: a crash of the database empties the table, and admission rebuilds missing rows
 * from the last minute of audit events. For each second with admitted calls, `at` holds the time of the last one in
 * Unix milliseconds, and `admitted` their number.
 */
export const rateLimitCounters = pgTable(
  "rate_limit_counters",
  {
    keyId: typeId("key")().notNull(),
    selector: text().notNull(),
    at: bigint({ mode: "number" }).array().notNull().default(sql`'{}'`),
    admitted: integer().array().notNull().default(sql`'{}'`),
    active: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.selector] })],
);

/** A running call that counts against `maxConcurrent`. Unlogged, like `rateLimitCounters`. */
export const leases = pgTable(
  "leases",
  {
    id: uuid().primaryKey(),
    keyIds: typeId("key")().array().notNull(),
    selectors: text().array().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index("leases_expires_at").on(table.expiresAt)],
);

/**
 * When each operation, capability and service was first registered: keys may use those that existed when they were
 * created.
 */
export const registrations = pgTable("registrations", {
  selector: text().primaryKey(),
  registeredAt: instant().notNull(),
});

/** A token that can create one root key. It stores that call's record, so that a repeat is replayed for ever. */
export const creditTokens = pgTable(
  "credit_tokens",
  {
    accountId: accountId(),
    id: typeId("ct")().notNull(),
    /** SHA-256 of the token. */
    hash: bytes().notNull(),
    createdAt: createdAt(),
    keyId: typeId("key")(),
    idempotencyKey: text(),
    fingerprint: bytes(),
    /** The response that was sent, sealed under a key derived from the token. */
    answer: bytes(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("credit_tokens_hash").on(table.hash),
  ],
);
