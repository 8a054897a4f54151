import { sql } from "drizzle-orm";
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { LEDGER_KINDS } from "#server/credits/kinds.ts";
import { accountId, instant, typeId } from "../columns.ts";

/**
 * One ledger account per customer account and kind, in credits. `customer` holds the spendable credits; the others
 * (`grant`, `purchase`, `adjustment`, `usage`) are its counter-accounts and may be negative.
 */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    accountId: accountId(),
    book: text({ enum: ["customer", ...LEDGER_KINDS] }).notNull(),
    posted: bigint({ mode: "number" }).notNull().default(0),
    held: bigint({ mode: "number" }).notNull().default(0),
    /** For `customer`: a total below the threshold counts as low. */
    lowThreshold: bigint({ mode: "number" }).notNull().default(1000),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.book] })],
);

/** A balanced set of entries. `reference` is unique per account, so that a posting happens once. */
export const ledgerTransactions = pgTable(
  "ledger_transactions",
  {
    accountId: accountId(),
    /** The receipt's id; ids are in the order of the balances. */
    id: typeId("rcpt")().notNull(),
    kind: text({ enum: LEDGER_KINDS }).notNull(),
    reference: text().notNull(),
    description: text().notNull(),
    operation: text(),
    units: integer(),
    priceVersion: text(),
    requestId: text(),
    projectId: typeId("proj")(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Without usage, which nearly all are: a charge costs no entry.
    index("ledger_transactions_kind")
      .on(table.accountId, table.kind, table.id)
      .where(sql`kind <> 'usage'`)
      .concurrently(),
    uniqueIndex("ledger_transactions_reference").on(table.accountId, table.reference),
  ],
);

/** Append-only. A transaction's entries must sum to zero when it commits. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    accountId: accountId(),
    transactionId: typeId("rcpt")().notNull(),
    book: text({ enum: ["customer", ...LEDGER_KINDS] }).notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    balanceAfter: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.transactionId, table.book] })],
);

/** Credits held for a running call: open, then captured (the remainder is returned) or released. */
export const ledgerHolds = pgTable(
  "ledger_holds",
  {
    accountId: accountId(),
    id: uuid().notNull(),
    /** The calling key and its ancestors; the hold counts against their `creditsPerDay`. */
    keyIds: typeId("key")().array().notNull(),
    selectors: text().array().notNull(),
    day: date().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    captured: bigint({ mode: "number" }),
    state: text({ enum: ["open", "captured", "released"] }).notNull(),
    description: text().notNull(),
    priceVersion: text(),
    requestId: text(),
    projectId: typeId("proj")(),
    /** The run whose step holds them, if they are charged after its call: its charge includes the captured credits. */
    runId: typeId("run")(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("ledger_holds_open").on(table.state, table.expiresAt),
  ],
);
