import { and, eq, getTableColumns } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { type StoredCall, type StoredOrder, swapRoutes, swaps } from "#db/schema/swaps.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { BridgeCall, BridgeOrder } from "#server/providers/bridge/bridge.ts";
import { type Balances, type Spend, spendsOfCall } from "#server/wallets/funds.ts";
import type { Swap, SwapRoute } from "./schema.ts";

export type SwapRow = typeof swaps.$inferSelect;
export type RouteRow = typeof swapRoutes.$inferSelect;

/** The columns of a route that its chains determine. */
export type RouteChange = Partial<
  Omit<RouteRow, "accountId" | "id" | "projectId" | "endUserId" | "swapId" | "from" | "to" | "createdAt">
>;

/** The stored plan of a swap, as JSON, for the code that sends and follows it. */
export interface SwapPlan extends Record<string, unknown> {
  from: SwapRow["from"];
  to: SwapRow["to"];
  fees: SwapRow["fees"];
  call: StoredCall;
  approvals: StoredCall[];
  /** The maximum fee per gas, in wei. */
  maxFee: string;
  /** The wallet's balances when the swap was quoted. */
  balances?: Balances;
  /** The first blocks of either chain that can contain it. */
  nextBlock: number;
  destinationBlock: number;
  /** When its last step becomes invalid. */
  expiresAt: string;
}

/** Swaps with the external ids of their end users. */
export function selectSwaps(db: Db | Transaction) {
  return db
    .select({ ...getTableColumns(swaps), endUser: endUsers.externalId })
    .from(swaps)
    .leftJoin(endUsers, and(eq(endUsers.accountId, swaps.accountId), eq(endUsers.id, swaps.endUserId)));
}

/** Routes with the external ids of their end users. */
export function selectRoutes(db: Db | Transaction) {
  return db
    .select({ ...getTableColumns(swapRoutes), endUser: endUsers.externalId })
    .from(swapRoutes)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, swapRoutes.accountId), eq(endUsers.id, swapRoutes.endUserId)),
    );
}

/** Returns a swap in its public form. */
export function toSwap(row: SwapRow & { endUser: string | null }): z.input<typeof Swap> {
  const { id, quoteId, walletId, routeId, status, transactions, fees, failure, approvalId } = row;
  const { from, to, received, chargedCredits, projectId, endUser } = row;
  return {
    id,
    quoteId,
    walletId,
    routeId,
    status,
    transactions,
    fees,
    failure,
    approvalId,
    from: { network: from.network, asset: from.asset, amount: from.amount },
    to: { network: to.network, asset: to.asset, expected: to.expected, minimum: to.minimum, received },
    chargedCredits,
    projectId,
    endUser,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** Returns a route in its public form. */
export function toRoute(row: RouteRow & { endUser: string | null }): z.input<typeof SwapRoute> {
  const { id, swapId, sender, recipient, status, received, failure, projectId, endUser, from, to } = row;
  const { sourceTransactionHash, destinationTransactionHash } = row;
  return {
    id,
    swapId,
    sender,
    recipient,
    status,
    received,
    failure,
    projectId,
    endUser,
    from: { network: from.network, asset: from.asset, amount: from.amount },
    to: { network: to.network, asset: to.asset, minimum: to.minimum },
    sourceTransactionHash,
    destinationTransactionHash,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** The columns of a route that is not, or no longer, on its chains. */
export const UNSEEN = {
  status: "prepared",
  sourceTransactionHash: null,
  sourceBlockHash: null,
  failure: null,
  destinationTransactionHash: null,
  destinationBlockHash: null,
  received: null,
  orderId: null,
  order: null,
  endedAt: null,
} as const satisfies RouteChange;

/** Returns the condition for this swap. */
export function isSwap({ accountId, id }: Pick<SwapRow, "accountId" | "id">) {
  return and(eq(swaps.accountId, accountId), eq(swaps.id, id));
}

/** Returns the condition for this route. */
export function isRoute({ accountId, id }: Pick<RouteRow, "accountId" | "id">) {
  return and(eq(swapRoutes.accountId, accountId), eq(swapRoutes.id, id));
}

/** Returns the event of a swap's current status. */
export function eventOf(row: SwapRow & { endUser: string | null }) {
  const { accountId, projectId, endUserId, id, status } = row;
  const type = `swap.${status}` as const;
  return { type, accountId, projectId, endUserId, resource: id, data: { swap: toSwap(row) } };
}

/** Emits the event of a swap's status, in the transaction of the change. */
export async function emitSwapEvent(tx: Transaction, swap: Pick<SwapRow, "accountId" | "id">): Promise<void> {
  const [row] = await selectSwaps(tx).where(isSwap(swap));
  if (!row) throw new Error(`There is no swap ${swap.id}.`);
  await emitEvent(tx, eventOf(row));
}

/** Returns a call as stored: JSON has no large integers. */
export function storedCall({ to, data, value, gas }: BridgeCall): StoredCall {
  return { to, data, value: String(value), gas: String(gas) };
}

/** Returns a stored call as it is sent. */
export function sentCall({ to, data, value, gas }: StoredCall): BridgeCall {
  return { to, data, value: BigInt(value), gas: BigInt(gas) };
}

/** Returns the amounts that a whole swap takes from its wallet. */
export function spendsOfSwap({ from, call, approvals, maxFee }: SwapPlan): Spend[] {
  const gas = [call, ...approvals].reduce((sum, one) => sum + BigInt(one.gas), 0n);
  return spendsOfCall(from, { value: BigInt(call.value), gas }, BigInt(maxFee));
}

/** Returns the maximum network fee of each transaction of a swap, in whole units of the native asset. */
export const feesOfSwap = ({ call, approvals, maxFee }: SwapPlan) =>
  [...approvals, call].map(({ gas }) => fromUnits(BigInt(gas) * BigInt(maxFee), 18));

/** Returns a bridge order as stored. */
export function storedOrder(order: BridgeOrder): StoredOrder {
  const { depositor, recipient, inputToken, outputToken } = order;
  return {
    depositor,
    recipient,
    inputToken,
    outputToken,
    inputAmount: String(order.inputAmount),
    originChainId: String(order.originChainId),
    destinationChainId: String(order.destinationChainId),
    minimumOutput: String(order.minimumOutput),
    fillDeadline: String(order.fillDeadline),
    nonce: String(order.nonce),
  };
}

/** Returns a stored bridge order as the bridge takes it. */
export function sentOrder(order: StoredOrder): BridgeOrder {
  const { depositor, recipient, inputToken, outputToken } = order;
  return {
    depositor,
    recipient,
    inputToken,
    outputToken,
    inputAmount: BigInt(order.inputAmount),
    originChainId: BigInt(order.originChainId),
    destinationChainId: BigInt(order.destinationChainId),
    minimumOutput: BigInt(order.minimumOutput),
    fillDeadline: BigInt(order.fillDeadline),
    nonce: BigInt(order.nonce),
  };
}

/** Returns the payload that people approve: exactly this swap, of this wallet. */
export function approvalPayload({ walletId, from, to }: Pick<SwapRow, "walletId" | "from" | "to">) {
  return {
    walletId,
    from: { network: from.network, asset: from.asset, amount: from.amount },
    to: { network: to.network, asset: to.asset, minimum: to.minimum },
  };
}
