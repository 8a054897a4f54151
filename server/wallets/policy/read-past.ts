import { and, asc, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { capReservations } from "#db/schema/caps.ts";
import { fundReservations } from "#db/schema/funds.ts";
import { assetPrices } from "#db/schema/prices.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import { decodeCall } from "../decode-call.ts";
import { describeEffects } from "../describe-effects.ts";
import type { Effect } from "../effects.ts";
import { assetsOf } from "../judge.ts";
import type { WalletRow } from "../queries.ts";
import type { Past } from "./replay.ts";

/** The maximum number of replayed transactions. */
export const MAX_REPLAYED = 10_000;

type Row = typeof walletTransactions.$inferSelect;

/**
 * Returns the sends of a wallet since a moment, oldest first; the transactions of one swap or order count as one send.
 */
export async function readPast(
  db: Db | Transaction,
  { accountId, id }: Pick<WalletRow, "accountId" | "id">,
  since: Date,
): Promise<Past[]> {
  const rows = await db
    .select()
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.accountId, accountId),
        eq(walletTransactions.walletId, id),
        eq(walletTransactions.direction, "out"),
        gte(walletTransactions.createdAt, since),
        inArray(walletTransactions.status, ["reserved", "signed", "broadcast", "confirmed"]),
      ),
    )
    .orderBy(asc(walletTransactions.id))
    .limit(MAX_REPLAYED);
  const groups = Map.groupBy(rows, (row) => row.sourceId ?? row.id);
  const ids = rows.map((row) => row.id);
  const [values, fees, prices] = await Promise.all([
    valuesOf(db, accountId, [...groups.keys()]),
    feesOf(db, accountId, ids),
    pricesNow(db),
  ]);
  return [...groups].map(([id, [first, ...others]]) => {
    const { network, createdAt } = defined(first);
    const chain = platform().chains.find(network);
    const effects = [defined(first), ...others].flatMap(effectsOf);
    const spent = defined(first).sourceId ? withoutAllowances(effects) : effects;
    return {
      id,
      at: createdAt,
      network,
      effects: spent,
      valueUsd: values.get(id) ?? null,
      feesUsd: [defined(first), ...others].flatMap((row) => fees.get(row.id) ?? []),
      summary: `${describeEffects(spent, chain?.tokens ?? [])}.`,
      assets: assetsOf(chain, prices.get(network) ?? {}),
    };
  });
}

function effectsOf(row: Row): Effect[] {
  const chain = platform().chains.find(row.network);
  if (!chain || !row.callTo) return [];
  const [from, to, data] = [row.from, row.callTo, row.callData ?? "0x"];
  return decodeCall({ chain, from, to, data, value: BigInt(row.callValue ?? 0) }).effects;
}

/** Omits allowances for the venue if the swap itself spends them. */
function withoutAllowances(effects: Effect[]): Effect[] {
  const spends = effects.some(({ type }) => type === "transfer");
  return spends ? effects.filter(({ type }) => type !== "allowance") : effects;
}

/** Returns the amounts that sends took of their daily limits when they were made. */
async function valuesOf(db: Db | Transaction, accountId: string, subjects: string[]) {
  const rows = await db
    .select()
    .from(capReservations)
    .where(
      and(
        eq(capReservations.accountId, accountId),
        sql`${capReservations.subject} = any(${sql.param(subjects)}::text[])`,
      ),
    );
  return new Map(rows.map(({ subject, valueUsd }) => [subject, valueUsd]));
}

/** Returns the network fees of transactions, paid or reserved, in USD. */
async function feesOf(db: Db | Transaction, accountId: string, transactionIds: string[]) {
  const { ownerId, feeCountedUsd, asset } = fundReservations;
  const uuids = transactionIds.map((id) => uuidOf("transaction", id));
  const rows = await db
    .select({ ownerId, feeUsd: feeCountedUsd })
    .from(fundReservations)
    .where(
      and(
        eq(fundReservations.accountId, accountId),
        eq(asset, "native"),
        isNotNull(feeCountedUsd),
        sql`${ownerId} = any(${sql.param(uuids)}::uuid[])`,
      ),
    );
  return new Map(rows.map(({ ownerId, feeUsd }) => [idOf("transaction", ownerId), defined(feeUsd)]));
}

/** Returns the last known prices, by network and asset. */
async function pricesNow(db: Db | Transaction): Promise<Map<string, Record<string, string>>> {
  const { network, asset, spotUsd, averageUsd } = assetPrices;
  const rows = await db
    .select({ network, asset, price: sql<string>`greatest(${spotUsd}, ${averageUsd})::text` })
    .from(assetPrices);
  const byNetwork = Map.groupBy(rows, (row) => row.network);
  return new Map(
    [...byNetwork].map(([name, of]) => [name, Object.fromEntries(of.map((row) => [row.asset, row.price]))]),
  );
}
