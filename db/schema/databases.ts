import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Transfer } from "#server/databases/transfers/schema.ts";
import { TRANSFER_STATUSES } from "#server/databases/transfers/statuses.ts";
import { accountId, bytes, createdAt, instant, typeId } from "../columns.ts";

/** An account's own PostgreSQL database, and the role that runs its statements. */
export const tenantDatabases = pgTable("tenant_databases", {
  accountId: accountId().primaryKey(),
  /** The configured cluster that holds it. */
  cluster: text().notNull(),
  /** The name of the database and its role; random, so that it tells other tenants nothing. */
  name: text().notNull().unique(),
  /** The role's password, sealed. */
  password: bytes().notNull(),
  status: text({ enum: ["provisioning", "ready", "deprovisioning"] }).notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/**
 * Actions whose transaction in the account's database was about to commit. PostgreSQL knows the outcome by the
 * transaction's id (`pg_xact_status`), so a repeat of the call never applies them twice.
 */
export const databaseCommits = pgTable(
  "database_commits",
  {
    accountId: accountId(),
    /** The caller and their idempotency key. */
    callerId: uuid().notNull(),
    key: text().notNull(),
    /** SHA-256 of the actions. */
    fingerprint: bytes().notNull(),
    /** The name of the database that the transaction belongs to; a later database of the account has another. */
    name: text().notNull(),
    transactionId: text().notNull(),
    /** The call's response if the transaction was committed; sealed. */
    answer: bytes().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.callerId, table.key] })],
);

/** A type from PostgreSQL's catalogue. */
export interface StoredType {
  /** The type's oid; for a domain, that of its base type. */
  oid: number;
  /** `pg_type.typname`. */
  name: string;
  /** The element type of an array; null for other types. */
  element: StoredType | null;
  /** The delimiter between an array's elements: a comma, except for `box`. */
  delimiter: string;
}

/**
 * The remaining rows of a query's result, for its next pages: a loose blob, sealed in pieces, deleted with this row.
 */
export const databaseResults = pgTable(
  "database_results",
  {
    accountId: accountId(),
    id: uuid().notNull(),
    /** SHA-256 of the statement, its parameters and the row mode: a cursor is valid for its own query only. */
    fingerprint: bytes().notNull(),
    blobKey: uuid().notNull(),
    columns: jsonb().$type<{ name: string; type: StoredType }[]>().notNull(),
    /** Start and end of each sealed piece in the blob, and its number of rows. */
    pieces: jsonb().$type<{ start: number; end: number; rows: number }[]>().notNull(),
    rowCount: integer().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("database_results_expires_at").on(table.expiresAt),
  ],
);

/** An export or an import of an account's database. */
export const databaseTransfers = pgTable(
  "database_transfers",
  {
    accountId: accountId(),
    id: typeId("xfer")().notNull(),
    direction: text({ enum: ["export", "import"] }).notNull(),
    status: text({ enum: TRANSFER_STATUSES }).notNull(),
    dryRun: boolean().notNull().default(false),
    /** True if the database is removed once its archive is ready. */
    final: boolean().notNull().default(false),
    /** For an import: the id of the applying transaction, stored before it commits. */
    transactionId: text(),
    difference: jsonb().$type<Transfer["difference"]>(),
    /** Set for an export that is ready. */
    archive: jsonb().$type<{ key: string; sizeBytes: number; sha256: string }>(),
    error: jsonb().$type<{ code: string; message: string; entry: string | null }>(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("database_transfers_open")
      .on(table.expiresAt)
      .where(sql`status not in ('completed', 'failed', 'cancelled', 'expired')`),
  ],
);

/** The received parts of an import's archive. */
export const databaseTransferParts = pgTable(
  "database_transfer_parts",
  {
    accountId: accountId(),
    transferId: typeId("xfer")().notNull(),
    partNumber: integer().notNull(),
    blobKey: uuid().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.transferId, table.partNumber] })],
);
