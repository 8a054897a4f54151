import { pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  createdAt,
  idPartsIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** The name of an address that is none of the account's wallets: an entry of the address book. */
export const contacts = pgTable(
  "contacts",
  {
    accountId: accountId(),
    id: typeId("ctc")().notNull(),
    ...assignment(),
    /** A digest of account, project and end user, with a placeholder for a missing one. */
    space: uuid().notNull(),
    name: text().notNull(),
    /** With its EIP-55 checksum. */
    address: text().notNull(),
    note: text(),
    createdAt: createdAt(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idPartsIndex("contacts", table.accountId, table.id, table.address),
    uniqueIndex("contacts_address").on(table.accountId, table.space, table.address),
    ...searchIndexes("contacts_name", table.accountId, table.name),
  ],
);
