import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import {
  accountId,
  createdAt,
  idPartsIndex,
  instant,
  type JsonObject,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A part of an account that keys and resources can be bound to. */
export const projects = pgTable(
  "projects",
  {
    accountId: accountId(),
    id: typeId("proj")().notNull(),
    name: text().notNull(),
    slug: text().notNull(),
    description: text(),
    metadata: jsonb().$type<JsonObject>().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
    archivedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idPartsIndex("projects", table.accountId, table.id),
    index("projects_archived")
      .on(table.accountId, table.id)
      .where(sql`archived_at is not null`)
      .concurrently(),
    index("projects_slug_parts").using("gin", table.accountId, table.slug.op("gin_trgm_ops")).concurrently(),
    uniqueIndex("projects_slug").on(table.accountId, table.slug),
    ...searchIndexes("projects_name", table.accountId, table.name),
  ],
);
