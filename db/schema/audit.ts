import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, bytes, instant, typeId } from "../columns.ts";

/** One row per authenticated request and per act of the system. Partitioned by id, which is time-ordered. */
export const auditEvents = pgTable(
  "audit_events",
  {
    accountId: accountId(),
    id: typeId("evt")().notNull(),
    at: instant().notNull(),
    actorType: text({ enum: ["key", "member", "system"] }).notNull(),
    actorId: uuid(),
    actorLabel: text(),
    operation: text().notNull(),
    /** The most exact limit operation, e.g. `services.invoke.managed-memory.put`. */
    selector: text().notNull(),
    /** Whether the call counted against its limits. */
    counted: boolean().notNull(),
    resource: text(),
    outcome: text({ enum: ["allowed", "denied", "error"] }).notNull(),
    status: integer().notNull(),
    errorCode: text(),
    requestId: text().notNull(),
    ...assignment(),
    ip: text(),
    userAgent: text(),
    durationMs: integer().notNull(),
    chargedCredits: bigint({ mode: "number" }).notNull().default(0),
    secretVersion: integer(),
    /** Salt of the personal fields' digests in the hash; erased with them. */
    salt: bytes().notNull(),
    sequence: bigint({ mode: "number" }),
    previousHash: bytes(),
    hash: bytes(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("audit_events_request").on(table.accountId, table.requestId),
    index("audit_events_unsealed").on(table.accountId, table.id).where(sql`hash is null`),
  ],
);

/** The end of an account's hash chain. */
export const auditHeads = pgTable("audit_heads", {
  accountId: typeId("acct")().primaryKey(),
  sequence: bigint({ mode: "number" }).notNull(),
  hash: bytes().notNull(),
});

/** A head that was signed (Ed25519), hourly and before a partition is dropped. */
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

/** Usage rolled up by hour; the current tail is read from `audit_events`. */
export const usageHours = pgTable(
  "usage_hours",
  {
    accountId: accountId(),
    hour: instant().notNull(),
    operation: text().notNull(),
    selector: text().notNull(),
    actorId: uuid().notNull(),
    /** The nil UUID stands for none, so that the row has a key. */
    projectId: uuid().notNull(),
    endUserId: uuid().notNull(),
    requests: integer().notNull(),
    errors: integer().notNull(),
    limited: integer().notNull(),
    chargedCredits: bigint({ mode: "number" }).notNull(),
    /** Counts per bucket of a log-scaled histogram of durations; histograms add up, percentiles do not. */
    histogram: integer().array().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.accountId,
        table.hour,
        table.operation,
        table.selector,
        table.actorId,
        table.projectId,
        table.endUserId,
      ],
    }),
  ],
);

/** Up to where `usage_hours` is complete. */
export const usageWatermark = pgTable("usage_watermark", {
  only: integer().primaryKey().default(1),
  until: instant().notNull(),
});
