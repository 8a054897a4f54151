import { and, eq, inArray } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { defined } from "#server/base/defined.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import type { Asset } from "#server/providers/venue/venue.ts";
import { minus, plus } from "./amounts.ts";
import { type Market, marketFor } from "./markets.ts";
import { chargeOrder, lockOrder, moveOrder } from "./move-order.ts";
import { isResting, type OrderRow } from "./queries.ts";
import { type NewFill, recordFill } from "./record-fill.ts";

type TransactionRow = typeof walletTransactions.$inferSelect;

/** An order is given up after this many failed trades. */
const MAX_FAILED_TRADES = 5;

/** Settles the trade in progress; returns whether it has ended, so that the order can continue. */
export async function settleTrade(db: Db, seen: OrderRow): Promise<boolean> {
  const ids = [seen.transactionId, seen.allowanceTransactionId].filter((id) => id !== null);
  const rows = await db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.accountId, seen.accountId), inArray(walletTransactions.id, ids)));
  const trade = rows.find(({ id }) => id === seen.transactionId);
  if (!trade?.endedAt) return false;
  const moved = trade.status === "confirmed" ? await readMoved(seen, trade) : NOTHING;
  const fill: NewFill = {
    transactionId: trade.id,
    allowanceTransactionId: seen.allowanceTransactionId,
    transactionHash: trade.hash,
    blockHash: trade.blockHash,
    ...moved,
    networkFee: rows.reduce((sum, { feePaid }) => plus(sum, feePaid ?? "0"), "0"),
  };
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (!row) return false;
    await recordFill(tx, row, fill);
    await (trade.status === "confirmed" ? takeFill(tx, row, fill) : takeFailure(tx, row, trade, fill));
    return true;
  });
}

const NOTHING = { quantity: "0", value: "0" };

/** Returns the exchanged amounts of the trade, by its receipt. */
async function readMoved(order: OrderRow, { hash, from }: TransactionRow): Promise<typeof NOTHING> {
  const market = marketFor(order);
  if (!market) throw new Error(`The chain of order ${order.id} is not configured any more (CHAINS).`);
  const { chain, venue, base, counter } = market;
  const receipt = await chain.client.getTransactionReceipt({ hash: defined(hash) });
  const [paid, bought] = sidesOf(market, order);
  const moved = venue.readFill(receipt, { trader: from, from: paid, to: bought });
  const [quantity, value] =
    order.side === "buy" ? [moved.amountOut, moved.amountIn] : [moved.amountIn, moved.amountOut];
  return { quantity: fromUnits(quantity, base.decimals), value: fromUnits(value, counter.decimals) };
}

function sidesOf({ base, counter }: Market, { side }: OrderRow): [paid: Asset, bought: Asset] {
  return side === "buy" ? [counter.asset, base.asset] : [base.asset, counter.asset];
}

const idle = { transactionId: null, allowanceTransactionId: null, executingQuantity: "0" } as const;

async function takeFill(tx: Transaction, row: OrderRow, fill: NewFill): Promise<void> {
  const filledQuantity = plus(row.filledQuantity, fill.quantity);
  const filled = minus(row.quantity, filledQuantity) === "0";
  const unfilled = row.endedAt ? row.status : isResting(row) ? "partially_filled" : "cancelled";
  await moveOrder(tx, row, {
    ...idle,
    status: filled ? "filled" : unfilled,
    filledQuantity,
    filledValue: plus(row.filledValue, fill.value),
    fees: withFee(row, fill.networkFee),
    chargedCredits: await chargeOrder(tx, row),
  });
}

/** A resting order is tried again; any other, or one whose trades keep failing, ends with the reason. */
async function takeFailure(
  tx: Transaction,
  row: OrderRow,
  trade: TransactionRow,
  { networkFee }: NewFill,
): Promise<void> {
  const failedTrades = row.failedTrades + 1;
  const failure = trade.failure ?? { code: trade.status, message: `Its trade was ${trade.status}.` };
  const hopeless = failure.code === "insufficient_funds" || failedTrades >= MAX_FAILED_TRADES;
  const end = row.endedAt ? row.status : hopeless ? "rejected" : "cancelled";
  const waits = isResting(row) && !hopeless && !row.endedAt;
  await moveOrder(tx, row, {
    ...idle,
    failedTrades,
    fees: withFee(row, networkFee),
    ...(!waits && { status: end, failure: row.endedAt ? row.failure : failure }),
    chargedCredits: trade.broadcastAt ? await chargeOrder(tx, row) : row.chargedCredits,
  });
}

/** Returns the order's fees with this amount added for the network; it may be negative. */
export function withFee({ fees }: OrderRow, amount: string) {
  const before = fees.find(({ type }) => type === "network");
  const others = fees.filter(({ type }) => type !== "network");
  return [...others, { type: "network", asset: "native", amount: plus(before?.amount ?? "0", amount) }];
}
