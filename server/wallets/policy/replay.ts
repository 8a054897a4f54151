import type { PolicyDecision } from "#server/quotes/schema.ts";
import type { Effect } from "../effects.ts";
import type { NetworkFeeLimits } from "../network-fees.ts";
import { usdOf, usdText } from "../usd.ts";
import { type AssetFacts, decide } from "./decide.ts";
import type { PolicyRules } from "./schema.ts";

/** Something that a wallet has sent, as a policy judges it. */
export interface Past {
  /** Wire id of the transaction, swap or order. */
  id: string;
  at: Date;
  network: string;
  effects: readonly Effect[];
  /** What it took of its day; null where that is not known any more. */
  valueUsd: string | null;
  /** What networks took for its transactions, or may, in USD, where that is known. */
  feesUsd: readonly string[];
  summary: string;
  assets(asset: Effect["asset"]): AssetFacts | null;
}

export interface Replayed extends PolicyDecision {
  valueUsd: string | null;
}

/** Judges what was sent by other rules, in order: what they would have denied takes nothing of its day. */
export function replay(
  rules: PolicyRules,
  past: readonly Past[],
  installation: NetworkFeeLimits,
): Replayed[] {
  const used = new Map<string, { value: bigint; fees: bigint }>();
  return past.map(({ at, network, effects, valueUsd, feesUsd, assets }) => {
    const day = at.toISOString().slice(0, 10);
    const before = used.get(day) ?? { value: 0n, fees: 0n };
    const judged = decide({
      rules,
      frozen: false,
      network,
      effects,
      assets,
      usedUsd: usdText(before.value),
      ...(valueUsd !== null && { valueUsd }),
      fees: { mostUsd: feesUsd, usedUsd: usdText(before.fees), installation },
    });
    if (judged.decision === "deny") return judged;
    const fees = feesUsd.reduce((sum, fee) => sum + usdOf(fee), before.fees);
    used.set(day, { value: before.value + usdOf(judged.valueUsd ?? "0"), fees });
    return judged;
  });
}
