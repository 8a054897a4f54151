import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Transfer } from "#server/databases/transfers/schema.ts";
import { accountId, bytes, createdAt, instant, typeId } from "../columns.ts";

/** An account's own PostgreSQL database, and the role that its statements run as. */
export const tenantDatabases = pgTable("tenant_databases", {
  accountId: accountId().primaryKey(),
  /** Which of the configured clusters it lies in. */
  cluster: text().notNull(),
  /** The name of the database and of its role; random, so that other tenants learn nothing from it. */
  name: text().notNull().unique(),
  /** The role's password, sealed. */
  password: bytes().notNull(),
  status: text({ enum: ["provisioning", "ready", "deprovisioning"] }).notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/**
 * Actions whose transaction in the account's database was about to commit. What became of it, PostgreSQL knows by
 * the transaction's id (`pg_xact_status`), so that a repeat of the call never applies them a second time.
 */
export const databaseCommits = pgTable(
  "database_commits",
  {
    accountId: accountId(),
    /** Who called, and under which idempotency key. */
    callerId: uuid().notNull(),
    key: text().notNull(),
    /** SHA-256 of the actions. */
    fingerprint: bytes().notNull(),
    /** The database that the transaction belongs to: a later one of the account is another. */
    name: text().notNull(),
    transactionId: text().notNull(),
    /** What the call answers if it was committed; sealed. */
    answer: bytes().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.callerId, table.key] })],
);

/** A type as PostgreSQL's catalogue has it. */
export interface StoredType {
  /** Of a domain, the type that it is made of. */
  oid: number;
  /** `pg_type.typname`. */
  name: string;
  /** The type of an array's elements; null for others. */
  element: StoredType | null;
  /** What stands between an array's elements: a comma but for `box`. */
  delimiter: string;
}

/** The rest of a query's result, for its next pages: a loose blob, sealed in pieces, which is swept with its row. */
export const databaseResults = pgTable(
  "database_results",
  {
    accountId: accountId(),
    id: uuid().notNull(),
    /** SHA-256 of the statement, its parameters and the row mode: a cursor reads on in its own query only. */
    fingerprint: bytes().notNull(),
    blobKey: uuid().notNull(),
    columns: jsonb().$type<{ name: string; type: StoredType }[]>().notNull(),
    /** Where each sealed piece lies in the blob, and how many rows it has. */
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
    status: text({
      enum: [
        "pending",
        "uploading",
        "validating",
        "applying",
        "completed",
        "building",
        "ready",
        "failed",
        "cancelled",
        "expired",
      ],
    }).notNull(),
    dryRun: boolean().notNull().default(false),
    /** Whether the database is removed once its archive is ready. */
    final: boolean().notNull().default(false),
    /** Of an import, the transaction that applies it, from before its commit on. */
    transactionId: text(),
    difference: jsonb().$type<Transfer["difference"]>(),
    /** Of an export, when it is ready. */
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

/** The parts of an import's archive that have arrived. */
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
