import { sql } from "drizzle-orm";
import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, idEndIndex, searchIndexes, typeId } from "../columns.ts";

/** A file that a customer uploaded. */
export const files = pgTable(
  "files",
  {
    accountId: accountId(),
    id: typeId("file")().notNull(),
    ...assignment(),
    name: text().notNull(),
    /** A digest of the name, which may be too long for an index. */
    nameHash: uuid().generatedAlwaysAs(sql`md5(name)::uuid`),
    mediaType: text().notNull(),
    sizeBytes: bigint({ mode: "number" }).notNull(),
    /** SHA-256 of the content, in hex. */
    sha256: text().notNull(),
    purpose: text(),
    blobKey: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("files_name").on(table.accountId, table.nameHash, table.id),
    index("files_purpose").on(table.accountId, table.purpose, table.id),
    index("files_sha256").on(table.accountId, table.sha256).concurrently(),
    index("files_project").on(table.accountId, table.projectId, table.id),
    index("files_end_user").on(table.accountId, table.endUserId, table.id),
    ...searchIndexes("files_search", table.accountId, table.name),
    idEndIndex("files", table.accountId, table.id),
  ],
);
