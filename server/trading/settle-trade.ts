import { and, eq, inArray } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import type { Asset } from "#server/providers/venue/venue.ts";
import { minus, plus } from "./amounts.ts";
import { type Market, marketFor } from "./markets.ts";
import { chargeOrder, lockOrder, moveOrder } from "./move-order.ts";
import type { OrderRow } from "./queries.ts";
import { type NewFill, recordFill } from "./record-fill.ts";

type TransactionRow = typeof walletTransactions.$inferSelect;

/** After so many trades that the chain refused, an order is given up. */
const MOST_FAILED_TRADES = 5;

/** Takes in what the trade under way has come to, once it has ended; answers whether the order may go on at once. */
export async function settleTrade(db: Db, seen: OrderRow): Promise<boolean> {
  const ids = [seen.transactionId, seen.allowanceTransactionId].filter((id) => id !== null);
  const rows = await db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.accountId, seen.accountId), inArray(walletTransactions.id, ids)));
  const trade = rows.find(({ id }) => id === seen.transactionId);
  if (!trade?.endedAt) return false;
  const fill = trade.status === "confirmed" ? await readFill(seen, trade) : null;
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (!row) return false;
    return fill ? takeFill(tx, row, fill, networkFee(rows)) : takeFailure(tx, row, trade, networkFee(rows));
  });
}

/** What the trade has really moved, by its receipt. */
async function readFill(order: OrderRow, { hash, id, from }: TransactionRow): Promise<NewFill> {
  const market = marketFor(order);
  if (!market) throw new Error(`The chain of order ${order.id} is not configured any more (CHAINS).`);
  const { chain, venue, base, counter } = market;
  const receipt = await chain.client.getTransactionReceipt({ hash: hash as Hex });
  const [paid, bought] = sidesOf(market, order);
  const moved = venue.readFill(receipt, { trader: from as Address, from: paid, to: bought });
  const [quantity, value] =
    order.side === "buy" ? [moved.amountOut, moved.amountIn] : [moved.amountIn, moved.amountOut];
  return {
    transactionId: id,
    transactionHash: hash as string,
    quantity: fromUnits(quantity, base.decimals),
    value: fromUnits(value, counter.decimals),
  };
}

function sidesOf({ base, counter }: Market, { side }: OrderRow): [paid: Asset, bought: Asset] {
  return side === "buy" ? [counter.asset, base.asset] : [base.asset, counter.asset];
}

const networkFee = (rows: TransactionRow[]) =>
  rows.reduce((sum, { feePaid }) => plus(sum, feePaid ?? "0"), "0");

const idle = { transactionId: null, allowanceTransactionId: null, executingQuantity: "0" } as const;

async function takeFill(tx: Transaction, row: OrderRow, fill: NewFill, fee: string): Promise<boolean> {
  await recordFill(tx, row, fill);
  const filledQuantity = plus(row.filledQuantity, fill.quantity);
  const filled = minus(row.quantity, filledQuantity) === "0";
  const stands = row.timeInForce === "gtc" || row.timeInForce === "gtd";
  await moveOrder(tx, row, {
    ...idle,
    status: filled ? "filled" : stands ? "partially_filled" : "cancelled",
    filledQuantity,
    filledValue: plus(row.filledValue, fill.value),
    fees: withFee(row, fee),
    chargedCredits: await chargeOrder(tx, row),
  });
  return !filled && stands;
}

/** An order that can wait is tried again; one that can't, or whose trades keep failing, ends with the reason. */
async function takeFailure(
  tx: Transaction,
  row: OrderRow,
  trade: TransactionRow,
  fee: string,
): Promise<boolean> {
  const failedTrades = row.failedTrades + 1;
  const failure = trade.failure ?? { code: trade.status, message: `Its trade was ${trade.status}.` };
  const hopeless = failure.code === "insufficient_funds" || failedTrades >= MOST_FAILED_TRADES;
  const waits = (row.timeInForce === "gtc" || row.timeInForce === "gtd") && !hopeless;
  await moveOrder(tx, row, {
    ...{ ...idle, failedTrades, fees: withFee(row, fee) },
    ...(!waits && { status: hopeless ? "rejected" : "cancelled", failure }),
    chargedCredits: trade.broadcastAt ? await chargeOrder(tx, row) : row.chargedCredits,
  });
  return false;
}

function withFee({ fees }: OrderRow, amount: string) {
  const before = fees.find(({ type }) => type === "network");
  const others = fees.filter(({ type }) => type !== "network");
  return [...others, { type: "network", asset: "native", amount: plus(before?.amount ?? "0", amount) }];
}
