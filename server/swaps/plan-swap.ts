import type { Address } from "viem";
import type { Db } from "#db/client.ts";
import { buildAllowance, readAllowance } from "#server/chains/allowances.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { invalid } from "#server/operation/errors.ts";
import type { BridgeCall } from "#server/providers/bridge/bridge.ts";
import { feesOf } from "#server/wallets/transactions/fees.ts";
import { readClock } from "./chain-state.ts";
import { findTrade, type Trade, type TradeRequest } from "./find-trade.ts";
import { type SwapPlan, storedCall } from "./queries.ts";

/** How long the last step of a swap is valid. */
const LIFE_SECONDS = 600n;

/** A swap that is ready to be sent. */
export interface Planned {
  trade: Trade;
  /** The calls that allow the spender to take exactly the input; empty if it may already. */
  approvals: BridgeCall[];
  call: BridgeCall;
  /** The stored plan, for the code that sends and follows the swap. */
  plan: SwapPlan;
}

/** Finds the best current trade for a request and builds its calls. */
export async function planSwap(
  db: Db,
  ask: {
    request: TradeRequest;
    sender: Address;
    recipient: Address;
    /** True if the sender is a managed wallet, which may have other swaps in progress. */
    managed: boolean;
    minimumOf(trade: Trade): bigint;
  },
): Promise<Planned> {
  const { request, sender, recipient } = ask;
  const trade = await findTrade(db, request);
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
    from: { ...request.from, decimals: from.token.decimals },
    to: {
      ...request.to,
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
  // An existing allowance may belong to another swap in progress.
  return allowed >= amount && !managed ? [] : buildAllowance(chain, allowance, allowed);
}

/** Returns the function that reduces a trade's expected output by the slippage. */
export function slippedBy(slippageBps: number) {
  return ({ expected, fees }: Trade) =>
    // Wrapping has no fees and a fixed price.
    fees.length === 0 ? expected : (expected * BigInt(10_000 - slippageBps)) / 10_000n;
}
