import { and, eq, gte, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { address } from "#server/chains/schema.ts";
import { sentInstant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { floorAfter, floorOf } from "#server/operation/period.ts";
import { readWallet, type WalletRow } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { filtered, matchingTransactions, TransactionFilters } from "./filters.ts";
import { toTransaction } from "./move-transaction.ts";
import { Transaction } from "./schema.ts";

/** Also says that the transaction is not confirmed, as most are: the index of statuses has only the others. */
const ofStatus = (status: Transaction["status"]) =>
  and(
    eq(walletTransactions.status, status),
    status === "confirmed" ? undefined : sql`${walletTransactions.status} <> 'confirmed'`,
  );

/** Adds the direction if the address is not the wallet's: the index of recipients has outgoing transactions only. */
const sentTo = (to: string, wallet: Pick<WalletRow, "address">) =>
  and(
    eq(walletTransactions.to, to),
    to === wallet.address ? undefined : sql`${walletTransactions.direction} = 'out'`,
  );

export const listTransactions = operation({
  id: "wallets.transactions.list",
  method: "GET",
  path: "/wallets/{walletId}/transactions",
  summary: "List a wallet's transactions",
  description: "Lists the wallet's sent, pending and received transactions, newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  query: CountedPageQuery.extend({
    status: Transaction.shape.status.optional().describe("Only transactions with this status."),
    to: address.optional().describe("Only transactions to this address."),
    ...TransactionFilters.shape,
    createdAfter: sentInstant
      .optional()
      .describe("Only transactions that were created after this moment. ISO 8601, UTC."),
    createdBefore: sentInstant
      .optional()
      .describe("Only transactions that were created before this moment. ISO 8601, UTC."),
    sort: sortBy(),
  }),
  output: z.object({ transactions: z.array(Transaction), nextCursor, total }),
  errors: ["not_found", "cursor_expired"],

  async handler({ params, query, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const page = pageOf("transaction", walletTransactions.id, { ...query, walletId: wallet.id });
    const condition = allOf(
      eq(walletTransactions.accountId, wallet.accountId),
      eq(walletTransactions.walletId, wallet.id),
      query.status && ofStatus(query.status),
      query.to === undefined ? undefined : sentTo(query.to, wallet),
      ...filtered(query),
      query.createdAfter === undefined
        ? undefined
        : gte(walletTransactions.id, floorAfter(query.createdAfter)),
      query.createdBefore === undefined ? undefined : lt(walletTransactions.id, floorOf(query.createdBefore)),
      query.search === undefined ? undefined : matchingTransactions(query.search),
    );
    const found = await db
      .select()
      .from(walletTransactions)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const all = db.select().from(walletTransactions).where(condition);
    const total = await page.total(db, () => all, { rows, nextCursor });
    return { transactions: rows.map((row) => toTransaction(row, wallet.endUser)), nextCursor, total };
  },
});
