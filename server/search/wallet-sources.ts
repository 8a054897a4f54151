import { sql } from "drizzle-orm";
import { contacts } from "#db/schema/contacts.ts";
import { signatures } from "#db/schema/signatures.ts";
import { swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { Source } from "./source.ts";

/** Wallets, and the resources that belong to them: contacts, transactions, signatures, orders and swaps. */
export const walletSources: readonly Source[] = [
  {
    kind: "wallet",
    scope: "wallets:read",
    table: wallets,
    columns: wallets,
    label: wallets.label,
    detail: wallets.address,
    indexed: [wallets.label],
    hex: [wallets.address],
    partsOf: "all",
  },
  {
    kind: "contact",
    scope: "wallets:read",
    table: contacts,
    columns: contacts,
    label: contacts.name,
    detail: contacts.address,
    indexed: [contacts.name],
    hex: [contacts.address],
    partsOf: "all",
  },
  {
    kind: "transaction",
    scope: "wallets:read",
    table: walletTransactions,
    columns: walletTransactions,
    label: sql`coalesce(${walletTransactions.hash}, 'Transaction without a hash')`,
    detail: walletTransactions.status,
    parent: { kind: "wallet", id: walletTransactions.walletId },
    hex: [walletTransactions.hash],
    others: [walletTransactions.clientReference, walletTransactions.from, walletTransactions.to],
    partsOf: "newest",
  },
  {
    kind: "signature",
    scope: "wallets:read",
    table: signatures,
    columns: signatures,
    label: sql`'Signature'`,
    detail: signatures.status,
    parent: { kind: "wallet", id: signatures.walletId },
    partsOf: "newest",
  },
  {
    kind: "order",
    scope: "trading:read",
    table: orders,
    columns: orders,
    label: sql`${orders.side} || ' ' || ${orders.symbol}`,
    detail: orders.status,
    others: [orders.clientReference, orders.symbol],
    partsOf: "newest",
  },
  {
    kind: "swap",
    scope: "wallets:read",
    table: swaps,
    columns: swaps,
    label: sql`'Swap'`,
    detail: swaps.status,
    partsOf: "newest",
  },
];
