import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  createdAt,
  endUserIndex,
  idPartsIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A workflow stored under a name, by `managed-workflows`. */
export const workflows = pgTable(
  "workflows",
  {
    accountId: accountId(),
    id: typeId("wf")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, as for memories; a name is unique within it. */
    space: uuid().notNull(),
    name: text().notNull(),
    /** The number of its newest version. */
    version: integer().notNull(),
    createdAt: createdAt(),
    archivedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    endUserIndex("workflows", table),
    ...searchIndexes("workflows_name", table.accountId, table.name),
    idPartsIndex("workflows", table.accountId, table.id),
    uniqueIndex("workflows_name").on(table.accountId, table.space, table.name),
    index("workflows_archived")
      .on(table.accountId, table.id)
      .where(sql`archived_at is not null`)
      .concurrently(),
    index("workflows_list").on(table.accountId, table.space, table.id),
  ],
);

/** A version of a stored workflow. Versions never change; old ones without live runs are deleted. */
export const workflowVersions = pgTable(
  "workflow_versions",
  {
    accountId: accountId(),
    id: typeId("wfv")().notNull(),
    workflowId: typeId("wf")().notNull(),
    version: integer().notNull(),
    /** SHA-256, in hex, of the version's content in RFC 8785 form. */
    digest: text().notNull(),
    /** JSON that keeps every digit of its numbers. */
    definition: text().notNull(),
    /** JSON, likewise; null if any input is accepted. */
    inputSchema: text(),
    description: text(),
    /** The key or member who stored the version. */
    actorType: text({ enum: ["key", "member", "system"] }).notNull(),
    actorId: uuid(),
    actorLabel: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("workflow_versions_version").on(table.accountId, table.workflowId, table.version),
    index("workflow_versions_list").on(table.accountId, table.workflowId, table.id),
  ],
);
