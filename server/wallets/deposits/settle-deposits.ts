import { and, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { currentTime } from "#server/base/clock.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import {
  moveTransaction,
  type TransactionChange,
  type TransactionRow,
} from "../transactions/move-transaction.ts";

const AT_ONCE = 100;

/** Settles deposits as of this block: confirmed, final, or lost. */
export async function settleDeposits(db: Db, { network, confirmations, finality }: Chain, head: number) {
  const incoming = and(
    eq(walletTransactions.network, network),
    eq(walletTransactions.direction, "in"),
    notFrozen(walletTransactions.accountId),
  );
  const waiting = and(incoming, eq(walletTransactions.status, "broadcast"));
  const depth = sql<number>`${head} - ${walletTransactions.blockNumber} + 1`;
  const unsettled = and(
    incoming,
    isNull(walletTransactions.finalizedAt),
    lte(walletTransactions.blockNumber, head),
  );

  const counted = await db
    .update(walletTransactions)
    .set({ confirmations: depth })
    .where(unsettled)
    .returning({ accountId: walletTransactions.accountId, endedAt: walletTransactions.endedAt });
  for (const { accountId, endedAt } of counted) if (!endedAt) publishChange(db, accountId, "wallets");
  await moveEach(db, and(waiting, unsettled, gte(walletTransactions.confirmations, confirmations)), {
    status: "confirmed",
    confirmedAt: currentTime(),
  });
  await db
    .update(walletTransactions)
    .set({ finalizedAt: sql`clock_timestamp()` })
    .where(
      and(
        unsettled,
        eq(walletTransactions.status, "confirmed"),
        gte(walletTransactions.confirmations, finality),
      ),
    );
  await moveEach(
    db,
    and(waiting, isNull(walletTransactions.blockNumber), lt(walletTransactions.expiresAt, sql`now()`)),
    {
      status: "failed",
      failure: {
        code: "reorganised",
        message: "The chain was reorganised, and its new blocks did not have this within an hour.",
      },
    },
  );
}

/** Moves the rows that match `fits`, each row once, whichever process comes first. */
async function moveEach(db: Db, fits: SQL | undefined, change: TransactionChange): Promise<void> {
  for (;;) {
    const moved = await db.transaction(async (tx) => {
      const rows: TransactionRow[] = await tx
        .select()
        .from(walletTransactions)
        .where(fits)
        .limit(AT_ONCE)
        .for("update", { skipLocked: true });
      for (const row of rows) await moveTransaction(tx, row, change);
      return rows.length;
    });
    if (moved < AT_ONCE) return;
  }
}
