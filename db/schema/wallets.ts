import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { WALLET_STATUSES } from "#server/wallets/statuses.ts";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idPartsIndex,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A custodial wallet: one secp256k1 key, which only the vault opens, with the same address on every EVM network. */
export const wallets = pgTable(
  "wallets",
  {
    accountId: accountId(),
    id: typeId("wal")().notNull(),
    ...assignment(),
    label: text().notNull(),
    /** With its EIP-55 checksum. */
    address: text().$type<Address>().notNull(),
    /** Sealed by the vault for account, wallet and address. */
    sealedKey: bytes().notNull(),
    /** The key-encryption key that it is sealed under, so that a rotation finds the keys that are left to rewrap. */
    kekId: text().notNull(),
    status: text({ enum: WALLET_STATUSES }).notNull(),
    /** The wire's policy without its version. */
    policy: jsonb().$type<Record<string, unknown>>().notNull(),
    policyVersion: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idPartsIndex("wallets", table.accountId, table.id, table.address),
    index("wallets_status").on(table.accountId, table.status, table.id).concurrently(),
    index("wallets_project")
      .on(table.accountId, table.projectId, table.id)
      .where(sql`project_id is not null`)
      .concurrently(),
    uniqueIndex("wallets_address").on(table.address),
    endUserIndex("wallets", table),
    ...searchIndexes("wallets_label", table.accountId, table.label),
  ],
);
