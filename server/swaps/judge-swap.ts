import { chainNamed } from "#server/chains/call-chain.ts";
import { decodeCall } from "#server/wallets/effects.ts";
import { type Facts, type Judgement, judgeBy } from "#server/wallets/judge.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { feesOfSwap, type SwapPlan, sentCall } from "./queries.ts";

/**
 * Judges a whole swap by its wallet's policy: what its last step spends, once, though an allowance of the same comes
 * before it; what the network may take for each; and whether the wallet may be on the chain that it receives on.
 */
export function judgeSwap(facts: Facts, { address }: Pick<WalletRow, "address">, plan: SwapPlan): Judgement {
  const { from, to } = plan;
  const chain = chainNamed(from.network, "body.quoteId");
  const { effects } = decodeCall({ chain, from: address, ...sentCall(plan.call) });
  const judged = judgeBy(facts, {
    effects,
    description: wordsOf(plan),
    network: from.network,
    fees: feesOfSwap(plan),
  });
  if (from.network === to.network) return judged;
  const there = judgeBy(facts, { effects: [], network: to.network });
  if (there.decision !== "deny") return judged;
  return { ...judged, decision: "deny", reasons: [...new Set([...judged.reasons, ...there.reasons])] };
}

function wordsOf({ from, to }: SwapPlan): string {
  const symbolOf = (side: { network: string; asset: string }) =>
    chainNamed(side.network, "body.quoteId").tokens.find(({ asset }) => asset === side.asset)?.symbol;
  const where = from.network === to.network ? `on ${from.network}` : `from ${from.network} to ${to.network}`;
  return `Swap ${from.amount} ${symbolOf(from)} for at least ${to.minimum} ${symbolOf(to)} ${where}`;
}
