import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, instant, searchIndexes, typeId } from "../columns.ts";

/** What a run has produced. */
export const artifacts = pgTable(
  "artifacts",
  {
    accountId: accountId(),
    id: typeId("art")().notNull(),
    ...assignment(),
    runId: typeId("run")().notNull(),
    /** The run's service, whose boundary applies to the artifact too. */
    serviceId: text().notNull(),
    name: text().notNull(),
    mediaType: text().notNull(),
    sizeBytes: bigint({ mode: "number" }).notNull(),
    /** Hex. */
    sha256: text().notNull(),
    blobKey: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("artifacts_run").on(table.accountId, table.runId, table.id),
    index("artifacts_expiry").on(table.expiresAt),
    ...searchIndexes("artifacts_name", table.accountId, table.name),
  ],
);
