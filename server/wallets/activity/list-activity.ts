import { and, asc, eq, inArray, isNotNull, isNull, lt, notExists, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Db, Transaction as DbTransaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { readWallet, type WalletRow } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { filtered, matchingTransactions, TransactionFilters } from "../transactions/filters.ts";
import { type TransactionRow, toTransaction } from "../transactions/move-transaction.ts";
import { Transaction } from "../transactions/schema.ts";
import { orderSummary, swapSummary } from "./summaries.ts";

/** More transactions of a page's swaps and orders are not shown as their parts. */
const MAX_PARTS = 500;

const Activity = z
  .object({
    id: z.string().describe("The id of the transaction, or of the swap or order that sent it."),
    type: z.enum(["transaction", "swap", "order"]).describe("The kind of resource that `id` names."),
    summary: z.string().describe("A sentence that describes the activity."),
    status: z.string().describe("The status of the transaction, swap or order."),
    at: instant.describe("The time when the first transaction was created."),
    transactions: z
      .array(Transaction)
      .describe("The transactions of the swap or order, in order; otherwise the transaction itself."),
  })
  .meta({
    id: "WalletActivity",
    description: "A transaction, swap or order of a wallet, or a deposit to it.",
  });

export type Activity = z.output<typeof Activity>;

export const listActivity = operation({
  id: "wallets.activity.list",
  method: "GET",
  path: "/wallets/{walletId}/activity",
  surfaces: ["console"],
  summary: "List a wallet's activity",
  description:
    "The wallet's transactions with a sentence each, newest first. The transactions of a swap or an order are one entry, at the place of the first.",
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  query: CountedPageQuery.extend({
    type: Activity.shape.type.optional().describe("Only single transactions, only swaps or only orders."),
    ...TransactionFilters.shape,
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ activity: z.array(Activity), nextCursor, total }),
  errors: ["not_found", "cursor_expired"],

  async handler({ params, query, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const { accountId, endUser } = wallet;
    const page = pageOf("transaction", walletTransactions.id, { ...query, walletId: wallet.id });
    const earlier = alias(walletTransactions, "earlier");
    const isLater = db
      .select({ id: earlier.id })
      .from(earlier)
      .where(
        and(
          eq(earlier.accountId, accountId),
          eq(earlier.sourceId, walletTransactions.sourceId),
          lt(earlier.id, walletTransactions.id),
        ),
      );
    const condition = allOf(
      eq(walletTransactions.accountId, accountId),
      eq(walletTransactions.walletId, wallet.id),
      or(isNull(walletTransactions.sourceId), notExists(isLater)),
      query.type && isOfType(query.type),
      ...filtered(query),
      query.search === undefined ? undefined : matchingEntries(db, wallet, query.search),
      within(walletTransactions.id, query),
    );
    const found = await db
      .select()
      .from(walletTransactions)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const sources = await readSources(db, accountId, rows);
    const activity = rows.map((row): z.input<typeof Activity> => {
      const source = row.sourceId ? sources.get(row.sourceId) : undefined;
      const transactions = (source?.parts ?? [row]).map((part) => toTransaction(part, endUser));
      const { id, status, createdAt, sourceType } = row;
      const at = createdAt.toISOString();
      if (!source || !sourceType || !row.sourceId) {
        const summary = transactions[0]?.summary ?? "";
        return { id, type: "transaction", summary, status, at, transactions };
      }
      return {
        id: row.sourceId,
        type: sourceType,
        summary: source.summary,
        status: source.status,
        at,
        transactions,
      };
    });
    const all = db.select().from(walletTransactions).where(condition);
    return { activity, nextCursor, total: await page.total(db, () => all, { rows, nextCursor }) };
  },
});

const isOfType = (type: Activity["type"]) =>
  type === "transaction" ? isNull(walletTransactions.sourceType) : eq(walletTransactions.sourceType, type);

/** Matches entries of which a transaction contains the text, and the swap or order with this id. */
function matchingEntries(db: Db | DbTransaction, { accountId, id }: WalletRow, text: string): SQL {
  const part = alias(walletTransactions, "part");
  const sources = db
    .select({ id: part.sourceId })
    .from(part)
    .where(
      and(
        eq(part.accountId, accountId),
        eq(part.walletId, id),
        isNotNull(part.sourceId),
        matchingTransactions(text, part),
      ),
    );
  return anyOf(
    matchingTransactions(text),
    eq(walletTransactions.sourceId, text),
    inArray(walletTransactions.sourceId, sources),
  );
}

interface Source {
  summary: string;
  status: string;
  parts: TransactionRow[];
}

/** The swaps and orders that have sent these rows, with all that they have sent. */
async function readSources(
  db: Db | DbTransaction,
  accountId: string,
  rows: readonly TransactionRow[],
): Promise<ReadonlyMap<string, Source>> {
  const idsOf = (type: "swap" | "order") =>
    rows.flatMap(({ sourceType, sourceId }) => (sourceType === type && sourceId ? sourceId : []));
  const [swapIds, orderIds] = [idsOf("swap"), idsOf("order")];
  if (swapIds.length + orderIds.length === 0) return new Map();
  const [parts, ofSwaps, ofOrders] = await Promise.all([
    db
      .select()
      .from(walletTransactions)
      .where(
        and(
          eq(walletTransactions.accountId, accountId),
          inArray(walletTransactions.sourceId, [...swapIds, ...orderIds]),
        ),
      )
      .orderBy(asc(walletTransactions.id))
      .limit(MAX_PARTS),
    db
      .select()
      .from(swaps)
      .where(and(eq(swaps.accountId, accountId), inArray(swaps.id, swapIds))),
    db
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, accountId), inArray(orders.id, orderIds))),
  ]);
  const partsOf = Map.groupBy(parts, ({ sourceId }) => sourceId);
  return new Map(
    [
      ...ofSwaps.map((swap) => ({ ...swap, summary: swapSummary(swap) })),
      ...ofOrders.map((order) => ({ ...order, summary: orderSummary(order) })),
    ].map(({ id, status, summary }) => [id, { status, summary, parts: partsOf.get(id) ?? [] }]),
  );
}
