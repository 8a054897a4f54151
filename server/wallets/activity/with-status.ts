import { and, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Transaction as DbTransaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { SWAP_STATUSES } from "#server/swaps/statuses.ts";
import { ORDER_STATUSES } from "#server/trading/statuses.ts";
import type { WalletRow } from "../queries.ts";
import { TRANSACTION_STATUSES } from "../statuses.ts";
import { ofStatus } from "../transactions/filters.ts";
import type { ACTIVITY_STATUSES } from "./statuses.ts";

/** The highest number of swaps or orders whose transactions are found by the index of sources. */
export const MOST_BY_INDEX = 500;

type Status = (typeof ACTIVITY_STATUSES)[number];

/** Returns the conditions for single transactions with a status, and for those of swaps and orders with it. */
export async function withStatus(
  db: Db | DbTransaction,
  wallet: WalletRow,
  status: Status,
): Promise<[single: SQL, sent: SQL]> {
  const [ofTransaction, ofSwap, ofOrder] = [
    TRANSACTION_STATUSES.find((one) => one === status),
    SWAP_STATUSES.find((one) => one === status),
    ORDER_STATUSES.find((one) => one === status),
  ];
  return [
    ofTransaction ? allOf(isNull(walletTransactions.sourceId), ofStatus(ofTransaction)) : sql`false`,
    anyOf(
      ofSwap ? await sentBy(db, wallet, swaps, "swap", ofSwap) : sql`false`,
      ofOrder ? await sentBy(db, wallet, orders, "order", ofOrder) : sql`false`,
    ),
  ];
}

/** Matches the transactions of the wallet's swaps or orders with a status: by their ids if there are few. */
async function sentBy(
  db: Db | DbTransaction,
  { accountId, id: walletId }: WalletRow,
  sources: typeof swaps | typeof orders,
  type: "swap" | "order",
  status: Status,
): Promise<SQL> {
  const few = await db
    .select({ id: sources.id })
    .from(sources)
    .where(
      and(
        eq(sources.accountId, accountId),
        eq(sources.walletId, walletId),
        sql`${sources.status} = ${status}`,
      ),
    )
    .orderBy(desc(sources.id))
    .limit(MOST_BY_INDEX + 1);
  const ids = few.map(({ id }) => id);
  if (ids.length <= MOST_BY_INDEX) return inArray(walletTransactions.sourceId, ids);
  // A lookup for each transaction: the page is soon full.
  return allOf(
    eq(walletTransactions.sourceType, type),
    sql`(select ${sources.status} from ${sources} where ${sources.accountId} = ${walletTransactions.accountId}
      and ${sources.id} = uuid_of_id(${walletTransactions.sourceId})) = ${status}`,
  );
}
