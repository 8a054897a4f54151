import { and, eq, sql } from "drizzle-orm";
import type { TransactionReceipt } from "viem";
import type { Db } from "#db/client.ts";
import { swapRoutes } from "#db/schema/swaps.ts";
import { defined } from "#server/base/defined.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { bridgeOf } from "#server/providers/bridge/bridge.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import { isDeep, readReceipt } from "./chain-state.ts";
import { enqueueAdvance, enqueueWatch, type ResourceKey } from "./jobs.ts";
import { lossOf } from "./loss-of.ts";
import { isRoute, type RouteChange, type RouteRow, storedOrder, UNSEEN } from "./queries.ts";
import { isRefundable } from "./refunds.ts";

const ENDED = ["completed", "refunded", "failed"];

/**
 * Reads the state of a route from its chains and stores changes; wakes its managed swap. Returns whether to check
 * again: an ended route is followed until no reorganisation can change it.
 */
export async function followRoute(db: Db, named: ResourceKey): Promise<boolean> {
  const [route] = await db.select().from(swapRoutes).where(isRoute(named));
  if (!route || route.sourceTransactionHash === null) return false;
  const change = await (route.endedAt ? lossOf(route) : changeOf(route));
  if (change === "final") return false;
  const ends = change?.status !== undefined && ENDED.includes(change.status);
  const wakes = change !== null || (route.swapId !== null && (await isRefundable(route)));
  if (!wakes) return true;
  return db.transaction(async (tx) => {
    if (change) {
      const [stored] = await tx
        .update(swapRoutes)
        .set({ ...change, ...(ends && { endedAt: sql`clock_timestamp()` }) })
        // Of two concurrent checks, one stores.
        .where(and(isRoute(route), eq(swapRoutes.status, route.status)))
        .returning({ id: swapRoutes.id });
      if (!stored) return true;
    }
    if (route.swapId) await enqueueAdvance(tx, { accountId: route.accountId, id: route.swapId });
    if (change?.status !== "prepared") return true;
    await enqueueWatch(tx, route.from.network);
    return false;
  });
}

function changeOf(route: RouteRow): Promise<RouteChange | null> {
  const [origin, destination] = [route.from.network, route.to.network].map((network) =>
    platform().chains.find(network),
  );
  // A chain that is no longer configured cannot be read.
  if (!origin || !destination) return Promise.resolve(null);
  return route.status === "observed"
    ? changeOfSource(route, origin, destination)
    : changeOfOrder(route, origin, destination);
}

async function changeOfSource(
  route: RouteRow,
  origin: Chain,
  destination: Chain,
): Promise<RouteChange | null> {
  const hash = defined(route.sourceTransactionHash);
  const receipt = await readReceipt(origin, hash);
  if (!receipt)
    // After a reorganisation the step is searched for again; for a managed wallet, its sender sends it again.
    return route.swapId ? null : UNSEEN;
  if (!(await isDeep(origin, receipt.blockNumber))) return null;
  const sourceBlockHash = receipt.blockHash;
  if (receipt.status === "reverted")
    return {
      sourceBlockHash,
      status: "failed",
      failure: { code: "reverted", message: "The chain has refused the transaction: it gave nothing." },
    };
  if (origin === destination)
    return {
      status: "completed",
      sourceBlockHash,
      destinationTransactionHash: hash,
      received: fromUnits(receivedIn(route, origin, receipt), route.to.decimals),
    };
  const deposit = bridgeOf(origin)?.readDeposit(receipt);
  if (!deposit)
    return {
      status: "failed",
      sourceBlockHash,
      failure: { code: "not_deposited", message: "The bridge has taken nothing." },
    };
  const { orderId, order } = deposit;
  return { status: "filling", sourceBlockHash, orderId, order: storedOrder(order) };
}

function receivedIn(route: RouteRow, chain: Chain, receipt: TransactionReceipt): bigint {
  const { from, to, recipient } = route;
  const pair = [from.asset, to.asset];
  // Wrapping is one for one, and a venue cannot read it from the receipt.
  if (pair.includes("native") && pair.includes(chain.contracts.wrappedNative))
    return toUnits(from.amount, from.decimals);
  const trade = { trader: recipient, from: from.asset, to: to.asset };
  const fill = venueOf(chain)?.readFill(receipt, trade);
  return fill?.amountOut ?? 0n;
}

async function changeOfOrder(
  route: RouteRow,
  origin: Chain,
  destination: Chain,
): Promise<RouteChange | null> {
  const near = defined(bridgeOf(origin));
  const far = defined(bridgeOf(destination));
  const orderId = defined(route.orderId);
  if ((await callChain(destination, () => far.readStatus(orderId))) === "filled") {
    const fill = await callChain(destination, () =>
      far.findFill(orderId, BigInt(route.destinationBlock ?? 0)),
    );
    if (!fill || !(await isDeep(destination, fill.blockNumber))) return null;
    return {
      status: "completed",
      destinationTransactionHash: fill.hash,
      destinationBlockHash: fill.blockHash,
      received: fromUnits(fill.amount, route.to.decimals),
    };
  }
  const status = await callChain(origin, () => near.readStatus(orderId));
  if (status !== "refunded") return null;
  const refund = await callChain(origin, () => near.findRefund(orderId, BigInt(route.nextBlock)));
  if (!refund || !(await isDeep(origin, refund.blockNumber))) return null;
  const { hash: destinationTransactionHash, blockHash: destinationBlockHash } = refund;
  return { status: "refunded", destinationTransactionHash, destinationBlockHash };
}
