import { bigint, pgTable, text } from "drizzle-orm/pg-core";

/** Up to which block of a chain we have looked for what came in. A process that has looked further moves it, if it stands as read. */
export const chainHeads = pgTable("chain_heads", {
  /** CAIP-2. */
  network: text().primaryKey(),
  number: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
  /** The hashes of the newest blocks, that one's the last: where a reorganisation began can be found among them. */
  recent: text().array().notNull(),
});
