import { eq, sql } from "drizzle-orm";
import { isAddressEqual, type LocalAccount, maxUint256 } from "viem";
import type { Db } from "#db/client.ts";
import { relayerOrders } from "#db/schema/relayer.ts";
import { buildAllowance, readAllowance } from "#server/chains/allowances.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import {
  assetOf,
  type Bridge,
  type BridgeOrder,
  bridgeOf,
  REFUND_DELAY_SECONDS,
} from "#server/providers/bridge/bridge.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type Clock, isDeep, isPast, readClock } from "../chain-state.ts";
import { stockOf } from "../find-trade.ts";
import { priceBridge, type Side } from "../price-bridge.ts";
import { sentOrder } from "../queries.ts";
import { sendOnce } from "./send-once.ts";

export type OrderRow = typeof relayerOrders.$inferSelect;

/** An order with its two chains and bridges. */
interface Work {
  db: Db;
  row: OrderRow;
  order: BridgeOrder;
  account: LocalAccount;
  origin: Chain;
  destination: Chain;
  near: Bridge;
  far: Bridge;
}

type OrderChange = Partial<Pick<OrderRow, "status" | "delivered" | "reason">>;

/** The minimum time left for a fill, in seconds: a late fill reverts and costs its fee. */
const MARGIN_SECONDS = 30n;
const REST_SECONDS = 2;
const DONE: readonly OrderRow["status"][] = ["claimed", "refunded"];

/** Takes the next step of an order, and stores when to check it again. */
export async function workOrder(db: Db, account: LocalAccount, row: OrderRow): Promise<void> {
  const work = workOf(db, account, row);
  const change = work ? await changeOf(work) : { reason: "Its chains are none of this installation's." };
  const ends = change?.status !== undefined && DONE.includes(change.status);
  const rests = change?.status === undefined ? REST_SECONDS : 0;
  await db
    .update(relayerOrders)
    .set({
      ...change,
      dueAt: ends ? null : sql`clock_timestamp() + ${rests} * interval '1 second'`,
    })
    .where(eq(relayerOrders.id, row.id));
}

function workOf(db: Db, account: LocalAccount, row: OrderRow): Work | null {
  const { chains } = platform();
  const [origin, destination] = [chains.find(row.originNetwork), chains.find(row.destinationNetwork)];
  const near = origin && bridgeOf(origin);
  const far = destination && bridgeOf(destination);
  if (!origin || !destination || !near || !far) return null;
  return { db, row, account, origin, destination, near, far, order: sentOrder(row.order) };
}

async function changeOf(work: Work): Promise<OrderChange | null> {
  const { row, near, far, origin, destination } = work;
  const id = row.id;
  const [here, there] = await Promise.all([
    callChain(origin, () => near.readStatus(id)),
    callChain(destination, () => far.readStatus(id)),
  ]);
  if (here === "claimed") return { status: "claimed" };
  if (here === "refunded") return { status: "refunded" };
  if (there === "filled") return claim(work);
  // After a reorganisation the deposit is gone, and may return.
  if (here !== "deposited") return { reason: "The bridge does not have its deposit." };
  return fillOrRefund(work);
}

/** Pays the relayer that filled: the bridge trusts its claim. */
async function claim(work: Work): Promise<OrderChange | null> {
  const { db, row, order, account, origin, destination, near, far } = work;
  const fill = await callChain(destination, () => far.findFill(row.id, BigInt(row.destinationBlock)));
  if (!fill || !(await isDeep(destination, fill.blockNumber))) return null;
  const delivered = String(fill.amount);
  const call = near.buildClaim(order, fill.relayer);
  const sent = await sendOnce(db, { chain: origin, account }, { orderId: row.id, purpose: "claim", call });
  return sent === "done" ? { status: "claimed", delivered } : { status: "filled", delivered, reason: null };
}

async function fillOrRefund(work: Work): Promise<OrderChange | null> {
  const { order, origin, destination } = work;
  const { fillDeadline } = order;
  const [near, far] = await Promise.all([
    callChain(origin, () => readClock(origin)),
    callChain(destination, () => readClock(destination)),
  ]);
  const inTime = ({ seconds }: Clock) => seconds + MARGIN_SECONDS < fillDeadline;
  if (inTime(near) && inTime(far)) return (await isSettled(work, near)) ? fill(work) : null;
  if (isPast(near, fillDeadline + REFUND_DELAY_SECONDS) && isPast(far, fillDeadline)) return refund(work);
  return { status: "expired", reason: "Too late to be filled." };
}

/** True if its deposit is deep enough in the origin chain: a reorganisation may have moved it. */
async function isSettled({ row, near, origin }: Work, { block }: Clock): Promise<boolean> {
  if (origin.confirmations === 1) return true;
  const deep = block - BigInt(origin.confirmations) + 1n;
  return (await callChain(origin, () => near.readStatus(row.id, deep))) === "deposited";
}

async function fill(work: Work): Promise<OrderChange | null> {
  const { db, row, order, account, origin, destination, far } = work;
  const sides = [sideOf(origin, order.inputToken), sideOf(destination, order.outputToken)];
  const [from, to] = sides;
  if (!from || !to) return { reason: "One of its tokens is not listed." };
  const price = await callChain(destination, () =>
    priceBridge(db, { from, to, amountIn: order.inputAmount }),
  );
  const amount = price?.amountOut ?? 0n;
  if (amount < order.minimumOutput) return { reason: `It is worth ${amount} now, less than its minimum.` };
  const stock = await callChain(destination, () => stockOf(to, account.address));
  if (stock < amount) return { reason: `The relayer has ${stock}, less than ${amount}.` };
  const chain = destination;
  if (!(await allow(work, to, amount))) return null;
  const call = far.buildFill(order, amount);
  const refusal = await tryOut(chain, account, call);
  if (refusal) return { reason: refusal };
  const sent = await sendOnce(db, { chain, account }, { orderId: row.id, purpose: "fill", call });
  return sent === "done" ? { status: "filled", delivered: String(amount), reason: null } : null;
}

/** True if the bridge may take the output; if not, gives it an unlimited allowance. */
async function allow({ db, account, far }: Work, { chain, token }: Side, amount: bigint): Promise<boolean> {
  if (token.asset === "native") return true;
  const given = { token: token.asset, owner: account.address, spender: far.address, amount: maxUint256 };
  const allowed = await readAllowance(chain, given);
  if (allowed >= amount) return true;
  const [call, next] = await buildAllowance(chain, given, allowed);
  if (!call) return true;
  const sent = await sendOnce(db, { chain, account }, { orderId: token.asset, purpose: "allow", call });
  return sent === "done" && !next;
}

async function tryOut(
  chain: Chain,
  { address }: LocalAccount,
  call: ReturnType<Bridge["buildFill"]>,
): Promise<string | null> {
  try {
    await callChain(chain, (client) => client.call({ account: address, ...call }));
    return null;
  } catch (reason) {
    if (reason instanceof ApiError) throw reason;
    return `The bridge would refuse it: ${reason instanceof Error ? reason.message.slice(0, 300) : "unknown"}`;
  }
}

/** Nobody has filled the order in time: the depositor gets the deposit back. */
async function refund({ db, row, order, account, origin, near }: Work): Promise<OrderChange | null> {
  const call = near.buildRefund(order);
  const sent = await sendOnce(db, { chain: origin, account }, { orderId: row.id, purpose: "refund", call });
  return sent === "done" ? { status: "refunded" } : { status: "expired" };
}

function sideOf(chain: Chain, token: BridgeOrder["inputToken"]): Side | null {
  const asset = assetOf(token);
  const listed = chain.tokens.find((known) =>
    known.asset === "native" || asset === "native"
      ? known.asset === asset
      : isAddressEqual(known.asset, asset),
  );
  return listed ? { chain, token: listed } : null;
}
