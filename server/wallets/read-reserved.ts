import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { parseUnits } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { reservedByOrders } from "#server/trading/queries.ts";
import type { WalletRow } from "./queries.ts";

const OPEN = ["awaiting_approval", "reserved", "signed", "broadcast"] as const;

/** What a wallet has promised on a chain: to transactions that the chain does not have yet, and to standing orders. */
export async function readReserved(
  db: Db | Transaction,
  { accountId, id }: Pick<WalletRow, "accountId" | "id">,
  network: string,
) {
  const { asset, amount, callValue, status } = walletTransactions;
  const rows = await db
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
  const orders = await reservedByOrders(db, { accountId, walletId: id, network });
  const values = rows.reduce((sum, { value }) => sum + BigInt(value), 0n);
  return {
    /** In the asset's smallest units. */
    get(wanted: string, decimals: number): bigint {
      const row = rows.find((candidate) => candidate.asset === wanted);
      const sent = parseUnits(row?.amount ?? "0", decimals) + (wanted === "native" ? values : 0n);
      return sent + parseUnits(orders.get(wanted) ?? "0", decimals);
    },
  };
}
