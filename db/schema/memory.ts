import { sql } from "drizzle-orm";
import { customType, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  createdAt,
  endUserIndex,
  idEndIndex,
  instant,
  type JsonObject,
  searchIndexes,
  typeId,
  wholeText,
} from "../columns.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** A text stored for search by `managed-memory`. */
export const memories = pgTable(
  "memories",
  {
    accountId: accountId(),
    id: typeId("mem")().notNull(),
    ...assignment(),
    /**
     * A digest of account, project and end user, with a placeholder for a missing one, so that an index finds it
     * exactly.
     */
    space: uuid().notNull(),
    name: text(),
    content: text().notNull(),
    tags: text().array().notNull(),
    metadata: jsonb().$type<JsonObject>().notNull(),
    /** The words of name (weight A), tags (B) and content (D), as written by server/memory/search-vector.ts. */
    words: tsvector().notNull(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("memories", table.accountId, table.id),
    ...searchIndexes("memories_every_name", table.accountId, table.name),
    index("memories_by_name")
      .on(table.accountId, wholeText(sql`coalesce(${table.name}, '')`), table.id)
      .concurrently(),
    endUserIndex("memories", table),
    index("memories_tags").using("gin", table.accountId, table.tags).concurrently(),
    index("memories_project")
      .on(table.accountId, table.projectId, table.id)
      .where(sql`project_id is not null`)
      .concurrently(),
    uniqueIndex("memories_name").on(table.accountId, table.space, table.name).where(sql`name is not null`),
    index("memories_list").on(table.accountId, table.space, table.id),
    // The extension btree_gin lets the GIN index include `space`.
    index("memories_words").using("gin", table.space, table.words, table.tags),
  ],
);

/** The text by which lists sort memories; those without a name come first. */
export const memoryName = sql`coalesce(${memories.name}, '')`;
