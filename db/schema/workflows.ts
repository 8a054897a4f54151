import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { accountId, assignment, createdAt, instant, typeId } from "../columns.ts";

/** A workflow that is stored under a name, by `managed-workflows`. */
export const workflows = pgTable(
  "workflows",
  {
    accountId: accountId(),
    id: typeId("wf")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, as that of memories: within it a name is unique. */
    space: uuid().notNull(),
    name: text().notNull(),
    /** The number of its newest version. */
    version: integer().notNull(),
    createdAt: createdAt(),
    archivedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("workflows_name").on(table.accountId, table.space, table.name),
    index("workflows_list").on(table.accountId, table.space, table.id),
  ],
);

/** What a stored workflow was at a time. A version is never changed; old ones are dropped that no live run is of. */
export const workflowVersions = pgTable(
  "workflow_versions",
  {
    accountId: accountId(),
    id: typeId("wfv")().notNull(),
    workflowId: typeId("wf")().notNull(),
    version: integer().notNull(),
    /** SHA-256, in hex, over the RFC 8785 form of what it consists of. */
    digest: text().notNull(),
    /** JSON with every digit of its numbers. */
    definition: text().notNull(),
    /** JSON likewise; null where any input is taken. */
    inputSchema: text(),
    description: text(),
    /** Who put it. */
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
