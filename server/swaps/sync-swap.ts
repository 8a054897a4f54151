import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { swapRoutes, swaps } from "#db/schema/swaps.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { bridgeOf } from "#server/providers/bridge/bridge.ts";
import { enqueueTransaction } from "#server/wallets/enqueue-transaction.ts";
import { spendsOfCall } from "#server/wallets/funds.ts";
import { selectWallets } from "#server/wallets/queries.ts";
import { enqueueAdvance, enqueueFollow } from "./jobs.ts";
import { chargeSwap, lockSwap, moveSwap } from "./move-swap.ts";
import { isRoute, isSwap, type RouteRow, type SwapRow, sentOrder, UNSEEN } from "./queries.ts";
import { isRefundable } from "./refunds.ts";

type TransactionRow = typeof walletTransactions.$inferSelect;

/** The transactions and the route of a swap. */
interface SwapProgress {
  allowance: TransactionRow | undefined;
  source: TransactionRow | undefined;
  refund: TransactionRow | undefined;
  route: RouteRow;
}

const RETRY_SECONDS = 30;
const UNSENT: readonly TransactionRow["status"][] = ["failed", "rejected", "cancelled", "expired"];

/** Updates a sent swap from its transactions and its route. */
export async function syncSwap(db: Db, before: SwapRow): Promise<void> {
  const route = await readRoute(db, before);
  // Read from the chains before the transaction begins.
  const takesBack = before.status === "filling" && (await isRefundable(route));
  await db.transaction(async (tx) => {
    const swap = await lockSwap(tx, before);
    if (!swap) return enqueueAdvance(tx, before);
    await store(tx, swap, await readProgress(tx, swap));
    if (takesBack) await takeBack(tx, swap, route);
  });
  if (takesBack) platform().wakeUps.send("transactions");
}

async function readRoute(db: Db | Transaction, { accountId, routeId }: SwapRow): Promise<RouteRow> {
  const [route] = await db
    .select()
    .from(swapRoutes)
    .where(isRoute({ accountId, id: defined(routeId) }));
  return defined(route);
}

async function readProgress(tx: Transaction, swap: SwapRow): Promise<SwapProgress> {
  const { accountId, allowanceTransactionId, sourceTransactionId, refundTransactionId } = swap;
  const ids = [allowanceTransactionId, sourceTransactionId, refundTransactionId].filter((id) => id !== null);
  const rows = await tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.accountId, accountId), inArray(walletTransactions.id, ids)));
  const sent = (id: string | null) => rows.find((row) => row.id === id);
  return {
    allowance: sent(allowanceTransactionId),
    source: sent(sourceTransactionId),
    refund: sent(refundTransactionId),
    route: await readRoute(tx, swap),
  };
}

async function store(tx: Transaction, before: SwapRow, found: SwapProgress): Promise<void> {
  const { source, refund } = found;
  const isStray = found.route.sourceBlockHash !== null && source?.blockHash !== found.route.sourceBlockHash;
  const { swap, route } = isStray ? await returnToSent(tx, before, found.route) : { ...found, swap: before };
  const isTaken = Boolean(source?.broadcastAt);
  const change = {
    transactions: transactionsOf(swap, { ...found, route }),
    chargedCredits: isTaken && swap.chargedCredits === 0 ? await chargeSwap(tx, swap) : swap.chargedCredits,
    received: route.received,
  };
  await tx.update(swaps).set(change).where(isSwap(swap));
  if (route.status === "completed") return moveSwap(tx, swap, "completed");
  if (route.status === "refunded") return moveSwap(tx, swap, "refunded");
  if (route.status === "failed") return moveSwap(tx, swap, "failed", { failure: route.failure });
  if (source && UNSENT.includes(source.status)) return giveUp(tx, swap, source);
  if (refund && UNSENT.includes(refund.status)) {
    // Somebody else may have refunded it, or the wallet lacked gas: the route shows a refund, otherwise it is tried
    // again.
    await tx.update(swaps).set({ refundTransactionId: null, status: "filling" }).where(isSwap(swap));
    await enqueueAdvance(tx, swap, RETRY_SECONDS);
    return;
  }
  if (swap.status === "refunding" || swap.status === "filling") return;
  if (route.status === "filling") return moveSwap(tx, swap, "filling");
  if (source?.status === "confirmed") {
    await observe(tx, route, source);
    if (swap.status !== "source_confirmed") await moveSwap(tx, swap, "source_confirmed");
  } else if (source?.status === "broadcast" && swap.status === "pending") {
    await moveSwap(tx, swap, "source_submitted");
  }
}

/** The block that a swap's status came from is no longer on the chain: the swap waits for the next. */
async function returnToSent(tx: Transaction, swap: SwapRow, route: RouteRow) {
  await tx.update(swapRoutes).set(UNSEEN).where(isRoute(route));
  await moveSwap(tx, swap, "source_submitted", { failure: null });
  return {
    swap: { ...swap, status: "source_submitted", endedAt: null } as const,
    route: { ...route, ...UNSEEN },
  };
}

/** From here on the route reads the chain itself. */
async function observe(tx: Transaction, route: RouteRow, { hash, blockHash }: TransactionRow): Promise<void> {
  if (route.status !== "prepared" && route.sourceTransactionHash === hash) return;
  await tx
    .update(swapRoutes)
    .set({ status: "observed", sourceTransactionHash: hash, sourceBlockHash: blockHash })
    .where(and(isRoute(route), inArray(swapRoutes.status, ["prepared", "observed"])));
  await enqueueFollow(tx, route);
}

async function giveUp(tx: Transaction, swap: SwapRow, source: TransactionRow): Promise<void> {
  const failure = source.failure ?? {
    code: source.status,
    message: `Its transaction has ended as ${source.status}.`,
  };
  await tx
    .update(swapRoutes)
    .set({
      status: "failed",
      failure,
      endedAt: sql`clock_timestamp()`,
      sourceTransactionHash: source.hash,
      sourceBlockHash: source.blockHash,
    })
    .where(isRoute({ accountId: swap.accountId, id: defined(swap.routeId) }));
  await moveSwap(tx, swap, "failed", { failure });
}

function transactionsOf({ from, to }: SwapRow, { allowance, source, refund, route }: SwapProgress) {
  const far = route.status === "completed" && from.network !== to.network;
  const near = [allowance?.hash, source?.hash, refund?.hash ?? refunded(route)];
  return [
    ...near.flatMap((hash) => (hash ? [{ network: from.network, hash }] : [])),
    ...(far && route.destinationTransactionHash
      ? [{ network: to.network, hash: route.destinationTransactionHash }]
      : []),
  ];
}

/** Anybody may call the bridge for the refund. */
const refunded = (route: RouteRow) => (route.status === "refunded" ? route.destinationTransactionHash : null);

/** Nobody has filled it in time: the wallet requests its refund from the bridge. */
async function takeBack(tx: Transaction, swap: SwapRow, route: RouteRow): Promise<void> {
  const { accountId, id, from, walletId, quoteId } = swap;
  const chain = chainNamed(from.network, "network");
  const bridge = bridgeOf(chain);
  const [wallet] = await selectWallets(tx).where(
    and(eq(wallets.accountId, accountId), eq(wallets.id, walletId)),
  );
  if (!bridge || !wallet || !route.order || swap.refundTransactionId) return;
  const call = bridge.buildRefund(sentOrder(route.order));
  const refund = await enqueueTransaction(tx, {
    wallet,
    chain,
    initiator: swap,
    quoteId,
    source: { type: "swap", id },
    call,
    spends: spendsOfCall({ asset: "native", amount: "0" }, call, 0n),
    to: bridge.address,
    asset: from.asset,
    amount: "0",
  });
  await moveSwap(tx, swap, "refunding", { refundTransactionId: refund.id });
}
