import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { walletTransactions } from "#db/schema/transactions.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { readWallet } from "../queries.ts";
import { toTransaction } from "./move-transaction.ts";
import { Transaction, TransactionParams } from "./schema.ts";

export const readTransaction = operation({
  id: "wallets.transactions.read",
  method: "GET",
  path: "/wallets/{walletId}/transactions/{transactionId}",
  summary: "Read a transaction",
  scope: "wallets:read",
  service: "managed-wallets",
  params: TransactionParams,
  output: z.object({ transaction: Transaction }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const [row] = await db
      .select()
      .from(walletTransactions)
      .where(
        and(
          eq(walletTransactions.accountId, wallet.accountId),
          eq(walletTransactions.walletId, wallet.id),
          eq(walletTransactions.id, params.transactionId),
        ),
      );
    if (!row) throw notFound("transaction", params.transactionId);
    return { transaction: toTransaction(row, wallet.endUser) };
  },
});
