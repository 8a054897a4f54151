import type { Address } from "viem";
import type { Db } from "#db/client.ts";
import { buildAllowance, readAllowance } from "#server/chains/allowances.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { invalid } from "#server/operation/errors.ts";
import type { BridgeCall } from "#server/providers/bridge/bridge.ts";
import { feesOf } from "#server/wallets/transactions/fees.ts";
import { readClock } from "./chain-state.ts";
import { findTrade, type Trade, type Wish } from "./find-trade.ts";
import { type SwapPlan, storedCall } from "./queries.ts";

/** How long the last step of a swap works. */
const LIFE_SECONDS = 600n;

/** A swap that can be sent as it is. */
export interface Planned {
  trade: Trade;
  /** Let the spender take exactly what is given; none where it may already. */
  approvals: BridgeCall[];
  call: BridgeCall;
  /** What is kept of it, for whatever sends and follows it. */
  plan: SwapPlan;
}

/** Finds how a wish is fulfilled now, and builds what has to be sent for it. */
export async function planSwap(
  db: Db,
  ask: {
    wish: Wish;
    sender: Address;
    recipient: Address;
    /** Whether the sender is a wallet of the platform's, which may have other swaps under way. */
    managed: boolean;
    minimumOf(trade: Trade): bigint;
  },
): Promise<Planned> {
  const { wish, sender, recipient } = ask;
  const trade = await findTrade(db, wish);
  const { from, to } = trade;
  if (trade.toSenderOnly && recipient !== sender)
    throw invalid("body.recipient", "Wrapping and unwrapping pay the sender. Leave recipient out.");
  const minimum = ask.minimumOf(trade);
  if (minimum === 0n)
    throw invalid("body.from.amount", `Too little for the smallest amount of ${to.token.symbol}. Send more.`);
  const [approvals, near, far, { maxFee }] = await Promise.all([
    approvalsFor(trade, ask),
    callChain(from.chain, () => readClock(from.chain)),
    from.chain === to.chain ? null : callChain(to.chain, () => readClock(to.chain)),
    callChain(from.chain, () => feesOf(from.chain)),
  ]);
  const deadline = near.seconds + LIFE_SECONDS;
  const call = trade.build({ recipient, minimum, deadline });
  const plan: SwapPlan = {
    from: { ...wish.from, decimals: from.token.decimals },
    to: {
      ...wish.to,
      decimals: to.token.decimals,
      expected: fromUnits(trade.expected, to.token.decimals),
      minimum: fromUnits(minimum, to.token.decimals),
    },
    fees: trade.fees,
    call: storedCall(call),
    approvals: approvals.map(storedCall),
    maxFee: String(maxFee),
    nextBlock: Number(near.block) + 1,
    destinationBlock: Number((far ?? near).block),
    expiresAt: new Date(Number(deadline) * 1000).toISOString(),
  };
  return { trade, approvals, call, plan };
}

async function approvalsFor(
  { spender, amountIn: amount, from }: Trade,
  { sender: owner, managed }: { sender: Address; managed: boolean },
): Promise<BridgeCall[]> {
  const { chain, token } = from;
  if (spender === null || token.asset === "native") return [];
  const allowance = { token: token.asset, owner, spender, amount };
  const allowed = await readAllowance(chain, allowance);
  // What is allowed already may be another swap's that is under way.
  return allowed >= amount && !managed ? [] : buildAllowance(chain, allowance, allowed);
}

/** What is received at least, where this much less than expected is borne. */
export function slippedBy(slippageBps: number) {
  return ({ expected, fees }: Trade) =>
    // Wrapping has no fees and no price that could move.
    fees.length === 0 ? expected : (expected * BigInt(10_000 - slippageBps)) / 10_000n;
}
