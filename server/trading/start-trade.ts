import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { wallets } from "#db/schema/wallets.ts";
import { currentMs } from "#server/base/clock.ts";
import { buildAllowance, readAllowance } from "#server/chains/allowances.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import type { VenueCall } from "#server/providers/venue/venue.ts";
import { reserveTrade } from "#server/wallets/caps.ts";
import {
  enqueueTransaction,
  idFrom,
  lockSender,
  timeAfterWaiting,
} from "#server/wallets/enqueue-transaction.ts";
import type { Failure } from "#server/wallets/executions/kind.ts";
import { spendsOfCall } from "#server/wallets/funds.ts";
import { judge, readPolicyState } from "#server/wallets/judge.ts";
import { lockWallet } from "#server/wallets/queries.ts";
import { feesOf } from "#server/wallets/transactions/fees.ts";
import { type Market, marketFor } from "./markets.ts";
import { lockOrder, moveOrder } from "./move-order.ts";
import { costOf, effectsOf } from "./order-effects.ts";
import { planTrade, type Trade } from "./plan-trade.ts";
import { isResting, type OrderRow } from "./queries.ts";

/** A trade that is not mined by then is given up: the price may have moved. */
const TRADE_SECONDS = 120;
/** The pause of an order after a failed trade. */
const REST_MS = 5000;

/**
 * Executes an order as far as the venue fills it at its price now. An order that cannot rest ends here. Returns false:
 * the trade's end advances the order.
 */
export async function startTrade(db: Db, seen: OrderRow): Promise<boolean> {
  if (seen.failedTrades > 0 && currentMs() - seen.updatedAt.getTime() < REST_MS) return false;
  const market = marketFor(seen);
  if (!market)
    return end(db, seen, "rejected", {
      code: "service_unavailable",
      message: `${seen.symbol} is not traded here any more.`,
    });
  const trade = await planTrade(market, seen);
  if (!trade) {
    if (isResting(seen)) return false;
    const message =
      seen.timeInForce === "fok" ? "The venue can't fill all of it" : "The venue can't fill any of it";
    return end(db, seen, "cancelled", {
      code: "price_moved",
      message: `${message} at ${seen.boundPrice} USD each or better.`,
    });
  }
  const { address } = await walletOf(db, seen);
  const [approvals, { maxFee }] = await Promise.all([
    approvalsFor(market, seen, { owner: address, trade }),
    callChain(market.chain, () => feesOf(market.chain)),
  ]);
  const { accountId, walletId, network } = seen;
  const wallet = { accountId, id: walletId };
  const ask = { network, effects: effectsOf(market, seen, trade.quantity) };
  const fees = [...approvals, trade.quote].map(({ gas = 0n }) => fromUnits(gas * maxFee, 18));
  await db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (!row) return;
    await lockWallet(tx, wallet);
    const state = await readPolicyState(tx, { wallet, network, subject: seen.id });
    const [judged, charged] = [judge(state, ask), judge(state, { ...ask, fees })];
    const { valueUsd } = charged;
    if (charged.decision !== "deny") return send(tx, market, row, { trade, approvals, maxFee, valueUsd });
    // A resting order may wait for lower fees or another day.
    if (judged.decision !== "deny" && isResting(row)) return;
    const failure = { code: "policy_denied", message: charged.reasons.join(" ") };
    await moveOrder(tx, row, { status: "rejected", failure });
  });
  platform().wakeUps.send("transactions");
  return false;
}

async function end(
  db: Db,
  seen: OrderRow,
  status: "cancelled" | "rejected",
  failure: Failure,
): Promise<false> {
  await db.transaction(async (tx) => {
    const row = await lockOrder(tx, seen);
    if (row) await moveOrder(tx, row, { status, failure });
  });
  return false;
}

async function walletOf(db: Db | Transaction, { accountId, walletId }: OrderRow) {
  const [wallet] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.accountId, accountId), eq(wallets.id, walletId)));
  if (!wallet) throw new Error(`There is no wallet ${walletId}.`);
  return wallet;
}

/**
 * Returns the calls that allow exactly the trade's amount: an existing allowance may belong to another trade in
 * progress.
 */
async function approvalsFor(
  market: Market,
  order: OrderRow,
  { owner, trade }: { owner: Address; trade: Trade },
) {
  const { asset: token, amount } = costOf(market, order, trade.quantity);
  if (token === "native") return [];
  const allowance = { token, owner, spender: market.venue.spender, amount };
  return buildAllowance(market.chain, allowance, await readAllowance(market.chain, allowance));
}

/** A trade to send. */
interface Sending {
  trade: Trade;
  approvals: VenueCall[];
  maxFee: bigint;
  /** As the policy judged it. */
  valueUsd: string | null;
}

/** Stores the trade's transaction and, before it, that of its allowance, so that their nonces follow each other. */
async function send(
  tx: Transaction,
  market: Market,
  row: OrderRow,
  { trade, approvals, maxFee, valueUsd }: Sending,
): Promise<void> {
  const wallet = await walletOf(tx, row);
  const { chain, venue, base } = market;
  const { asset, decimals, amount } = costOf(market, row, trade.quantity);
  const { accountId, walletId } = row;
  // A wallet sends in the order of ids: under the sender's lock, no transaction of a swap or of another order comes in
  // between.
  const sender = { accountId, walletId, network: chain.network, address: wallet.address };
  await lockSender(tx, sender);
  const sendsFrom = await timeAfterWaiting(tx, sender);
  const transactionId = idFrom(sendsFrom, approvals.length);
  const isFirst = Number(row.filledQuantity) === 0;
  await reserveTrade(tx, { wallet, order: row.id, isFirst, subject: transactionId, valueUsd });
  const source = { type: "order", id: row.id } as const;
  const shared = { wallet, chain, initiator: row, source };
  const expiresAt = new Date(currentMs() + TRADE_SECONDS * 1000);
  let allowance: Awaited<ReturnType<typeof enqueueTransaction>> | undefined;
  for (const [nth, call] of approvals.entries())
    allowance = await enqueueTransaction(tx, {
      ...shared,
      id: idFrom(sendsFrom, nth),
      expiresAt,
      call,
      to: call.to,
      asset,
      amount: "0",
      data: call.data,
      spends: spendsOfCall({ asset: "native", amount: "0" }, call, maxFee),
    });
  const call = venue.buildSwap({
    quote: trade.quote,
    recipient: wallet.address,
    limit: trade.limit,
    deadline: BigInt(Math.floor(expiresAt.getTime() / 1000)),
  });
  await enqueueTransaction(tx, {
    ...shared,
    id: transactionId,
    expiresAt,
    call,
    to: call.to,
    data: call.data,
    asset,
    amount: fromUnits(amount, decimals),
    spends: spendsOfCall({ asset, amount: fromUnits(amount, decimals) }, call, maxFee),
  });
  await moveOrder(tx, row, {
    transactionId,
    allowanceTransactionId: allowance?.id ?? null,
    executingQuantity: fromUnits(trade.quantity, base.decimals),
  });
}
