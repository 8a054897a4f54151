import { bigint, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { KEPT_KINDS } from "#server/storage/kinds.ts";
import { accountId } from "../columns.ts";

/**
 * The bytes of an account's runs, events, memories and stored workflows, divided into shards, so that transactions do not wait for each other's row.
 * Only their sum has a meaning; a shard may be negative.
 */
export const keptBytes = pgTable(
  "kept_bytes",
  {
    accountId: accountId(),
    kind: text({ enum: KEPT_KINDS }).notNull(),
    shard: smallint().notNull(),
    bytes: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind, table.shard] })],
);
