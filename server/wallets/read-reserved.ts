import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { parseUnits } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { reservedBySwaps } from "#server/swaps/queries.ts";
import { reservedByOrders } from "#server/trading/queries.ts";
import type { WalletRow } from "./queries.ts";

const OPEN = ["awaiting_approval", "reserved", "signed", "broadcast"] as const;

/**
 * What a wallet has promised on a chain: to transactions that the chain does not have yet, to orders that have not ended,
 * and to swaps that wait for people.
 */
export async function readReserved(
  db: Db | Transaction,
  { accountId, id }: Pick<WalletRow, "accountId" | "id">,
  network: string,
) {
  const { asset, amount, callValue, status } = walletTransactions;
  const sent = db
    .select({
      asset,
      amount: sql<string>`sum(${amount}::numeric)`,
      /** What goes along in wei with calls that move a token. */
      value: sql<string>`coalesce(sum(${callValue}) filter (where ${asset} <> 'native'), 0)`,
    })
    .from(walletTransactions)
    .where(
      and(
        ...[eq(walletTransactions.accountId, accountId), eq(walletTransactions.walletId, id)],
        ...[eq(walletTransactions.network, network), eq(walletTransactions.direction, "out")],
        ...[inArray(status, [...OPEN]), isNull(walletTransactions.blockNumber)],
      ),
    )
    .groupBy(asset);
  const wallet = { accountId, walletId: id, network };
  const [rows, ...promised] = await Promise.all([
    sent,
    reservedByOrders(db, wallet),
    reservedBySwaps(db, wallet),
  ]);
  const values = rows.reduce((sum, { value }) => sum + BigInt(value), 0n);
  return {
    /** In the asset's smallest units. */
    get(wanted: string, decimals: number): bigint {
      const row = rows.find((candidate) => candidate.asset === wanted);
      const sent = parseUnits(row?.amount ?? "0", decimals) + (wanted === "native" ? values : 0n);
      return promised.reduce((sum, kind) => sum + parseUnits(kind.get(wanted) ?? "0", decimals), sent);
    },
  };
}
