import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  createdAt,
  endUserIndex,
  idEndIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A file that a run has produced. */
export const artifacts = pgTable(
  "artifacts",
  {
    accountId: accountId(),
    id: typeId("art")().notNull(),
    ...assignment(),
    runId: typeId("run")().notNull(),
    /** The run's service; a key needs it inside its boundary to reach the artifact. */
    serviceId: text().notNull(),
    name: text().notNull(),
    mediaType: text().notNull(),
    sizeBytes: bigint({ mode: "number" }).notNull(),
    /** SHA-256 of the content, in hex. */
    sha256: text().notNull(),
    blobKey: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("artifacts", table.accountId, table.id),
    endUserIndex("artifacts", table),
    index("artifacts_service").on(table.accountId, table.serviceId, table.id).concurrently(),
    index("artifacts_sha256").on(table.accountId, table.sha256).concurrently(),
    index("artifacts_run").on(table.accountId, table.runId, table.id),
    index("artifacts_expiry").on(table.expiresAt),
    ...searchIndexes("artifacts_name", table.accountId, table.name),
  ],
);
