import { bigint, pgTable, text } from "drizzle-orm/pg-core";

/**
 * The block of a chain up to which incoming transfers were searched. A process that has searched further updates it
 * if it is unchanged since it was read.
 */
export const chainHeads = pgTable("chain_heads", {
  /** The chain's CAIP-2 id. */
  network: text().primaryKey(),
  number: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
  /** The hashes of the newest searched blocks, oldest first; they show where a reorganisation began. */
  recent: text().array().notNull(),
});
