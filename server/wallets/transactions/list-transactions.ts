import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { address } from "#server/chains/schema.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { toTransaction } from "./move-transaction.ts";
import { Transaction } from "./schema.ts";

export const listTransactions = operation({
  id: "wallets.transactions.list",
  method: "GET",
  path: "/wallets/{walletId}/transactions",
  summary: "List a wallet's transactions",
  description: "The wallet's sent, pending and received transactions, newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  query: PageQuery.extend({
    status: Transaction.shape.status.optional().describe("Only transactions with this status."),
    to: address.optional().describe("Only transactions to this address."),
  }),
  output: z.object({ transactions: z.array(Transaction), nextCursor }),
  errors: ["not_found", "cursor_expired"],

  async handler({ params, query, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const page = pageOf("transaction", walletTransactions.id, { ...query, walletId: wallet.id });
    const rows = await db
      .select()
      .from(walletTransactions)
      .where(
        page.where(
          allOf(
            eq(walletTransactions.accountId, wallet.accountId),
            eq(walletTransactions.walletId, wallet.id),
            query.status ? eq(walletTransactions.status, query.status) : undefined,
            query.to ? eq(walletTransactions.to, query.to) : undefined,
          ),
        ),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const cut = page.cut(rows);
    return {
      transactions: cut.rows.map((row) => toTransaction(row, wallet.endUser)),
      nextCursor: cut.nextCursor,
    };
  },
});
