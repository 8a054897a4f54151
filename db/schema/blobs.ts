import { bigint, boolean, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, instant } from "../columns.ts";

/** Blobs that no row refers to: those being written, and those to be deleted. */
export const looseBlobs = pgTable(
  "loose_blobs",
  {
    key: uuid().primaryKey(),
    /** When it is deleted, if it is still loose. */
    dueAt: instant().notNull(),
    /** True once a sweep has begun to delete it: from then on nothing can keep it. */
    deleting: boolean().notNull().default(false),
  },
  (table) => [index("loose_blobs_due").on(table.dueAt)],
);

const kind = () => text({ enum: ["files", "artifacts", "transfers", "results"] }).notNull();

/** The bytes of each blob: its size, or the bytes reserved while it is written. */
export const blobBytes = pgTable("blob_bytes", {
  key: uuid().primaryKey(),
  accountId: accountId(),
  kind: kind(),
  bytes: bigint({ mode: "number" }).notNull(),
});

/** The sum of an account's blobs of a kind. */
export const storageUsage = pgTable(
  "storage_usage",
  {
    accountId: accountId(),
    kind: kind(),
    usedBytes: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);
