import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Blobs that nothing refers to: those being written, and those left to be deleted. */
export const looseBlobs = pgTable(
  "loose_blobs",
  {
    key: uuid().primaryKey(),
    /** When it is deleted, if it is still loose. */
    dueAt: instant().notNull(),
  },
  (table) => [index("loose_blobs_due").on(table.dueAt)],
);
