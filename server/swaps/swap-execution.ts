import type { z } from "zod";
import { rowInserter } from "#db/insert-row.ts";
import { swaps } from "#db/schema/swaps.ts";
import { defined } from "#server/base/defined.ts";
import { timeOf, toUuid } from "#server/base/ids.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { decodeCall } from "#server/wallets/decode-call.ts";
import {
  type ExecutionKind,
  LONGEST_WAIT_SECONDS,
  type QuotedWallet,
  type Terms,
} from "#server/wallets/executions/kind.ts";
import { type Judgement, judge, type PolicyState } from "#server/wallets/judge.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { moveSwap } from "./move-swap.ts";
import { planSwap } from "./plan-swap.ts";
import {
  approvalPayload,
  eventOf,
  feesOfSwap,
  type SwapPlan,
  type SwapRow,
  sentCall,
  spendsOfSwap,
} from "./queries.ts";
import type { Swap } from "./schema.ts";
import { senderOf, sendSwap, sentSwap } from "./send-swap.ts";

const NOT_APPROVED = {
  rejected: { code: "approval_rejected", message: "It was not approved." },
  expired: { code: "approval_expired", message: "Nobody approved it in time." },
};

const insert = rowInserter(swaps);

export const swapExecution: ExecutionKind<SwapRow, SwapPlan, { swap: z.input<typeof Swap> }> = {
  kind: "swap",
  serviceId: "universal-swaps",
  scope: "wallets:transact",
  operationId: "swaps.execute",
  approvedOperation: "swaps.execute",
  charge: "Swap",
  holdSeconds: LONGEST_WAIT_SECONDS,
  table: swaps,

  open({ wallet, plan }) {
    const { from, to } = plan;
    const chain = chainNamed(from.network, "body.quoteId");
    return {
      judge: (state) => judgeSwap(state, wallet, plan),
      approvalPayload: approvalPayload({ walletId: wallet.id, from, to }),
      prepare: async (_, { decision }) => ({
        sender: decision === "allow" ? senderOf(wallet, plan) : undefined,
        funds: { chain, spends: spendsOfSwap(plan), ...(plan.balances && { known: plan.balances }) },
        record(terms) {
          const swap = rowOf(terms, wallet, plan);
          const sent =
            terms.approvalId === null
              ? sentSwap({ swap, wallet, plan, sendsFrom: defined(terms.sendsFrom) })
              : null;
          const row = { ...swap, ...sent?.change };
          const event = eventOf({ ...row, endUser: wallet.endUser });
          return {
            output: event.data,
            row: { swap: insert(row) },
            events: [event, ...(sent?.events ?? [])],
            ...(sent && {
              execution: sent.statements,
              handOver: () => platform().wakeUps.send("transactions"),
            }),
          };
        },
      }),
    };
  },

  /** Plans the swap as of now, with no smaller minimum than was approved. */
  async renew(db, row, wallet) {
    const { from, to } = row;
    const { address } = wallet;
    const approved = toUnits(to.minimum, to.decimals);
    const minimumOf = () => approved;
    const wanted = { request: { from, to }, sender: address, recipient: address, managed: true, minimumOf };
    const { trade, plan } = await planSwap(db, wanted);
    if (trade.expected < approved) {
      const now = fromUnits(trade.expected, to.decimals);
      const message = `It would yield ${now} now, less than the approved minimum of ${to.minimum}.`;
      return { failure: { code: "minimum_not_met", message } };
    }
    return {
      network: from.network,
      judge: (state) => judgeSwap(state, wallet, plan),
      approvalPayload: approvalPayload(row),
      sender: senderOf(wallet, plan),
      async carryOut(tx, swap) {
        await sendSwap(tx, { swap, wallet, plan });
        await moveSwap(tx, swap, "pending");
      },
    };
  },

  end: (tx, row, end) =>
    moveSwap(tx, row, "failed", { failure: end.type === "failed" ? end.failure : NOT_APPROVED[end.type] }),
};

function rowOf({ initiator, ...terms }: Terms, wallet: QuotedWallet, plan: SwapPlan): SwapRow {
  const { accountId, projectId, endUserId, id: walletId } = wallet;
  const { id, quoteId, approvalId, heldCredits } = terms;
  const { from, to, fees } = plan;
  return {
    ...initiator,
    accountId,
    id,
    projectId,
    endUserId,
    walletId,
    quoteId,
    approvalId,
    heldCredits,
    status: approvalId ? "awaiting_approval" : "pending",
    from,
    to,
    fees,
    routeId: null,
    received: null,
    transactions: [],
    allowanceTransactionId: null,
    sourceTransactionId: null,
    refundTransactionId: null,
    chargedCredits: 0,
    failure: null,
    createdAt: timeOf(toUuid("swap", id)),
    endedAt: null,
  };
}

/**
 * Judges a whole swap by its wallet's policy: the spending of its last step (counted once, although an allowance of the
 * same amount precedes it), the network fee of each transaction, and whether the wallet may be on the receiving chain.
 */
export function judgeSwap(
  state: PolicyState,
  { address }: Pick<WalletRow, "address">,
  plan: SwapPlan,
): Judgement {
  const { from, to } = plan;
  const chain = chainNamed(from.network, "body.quoteId");
  const { effects } = decodeCall({ chain, from: address, ...sentCall(plan.call) });
  const judged = judge(state, {
    effects,
    description: wordsOf(plan),
    network: from.network,
    fees: feesOfSwap(plan),
  });
  if (from.network === to.network) return judged;
  const there = judge(state, { effects: [], network: to.network });
  if (there.decision !== "deny") return judged;
  return { ...judged, decision: "deny", reasons: [...new Set([...judged.reasons, ...there.reasons])] };
}

function wordsOf({ from, to }: SwapPlan): string {
  const symbolOf = (side: { network: string; asset: string }) =>
    chainNamed(side.network, "body.quoteId").tokens.find(({ asset }) => asset === side.asset)?.symbol;
  const where = from.network === to.network ? `on ${from.network}` : `from ${from.network} to ${to.network}`;
  return `Swap ${from.amount} ${symbolOf(from)} for at least ${to.minimum} ${symbolOf(to)} ${where}`;
}
