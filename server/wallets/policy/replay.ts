import type { PolicyDecision } from "#server/quotes/schema.ts";
import type { Effect } from "../effects.ts";
import type { NetworkFeeLimits } from "../network-fees.ts";
import { usdOf, usdText } from "../usd.ts";
import { decide, type PricedAsset } from "./decide.ts";
import type { PolicyRules } from "./schema.ts";

/** A past send of a wallet, in the form that a policy judges. */
export interface Past {
  /** Public id of the transaction, swap or order. */
  id: string;
  at: Date;
  network: string;
  effects: readonly Effect[];
  /** The amount that it took of its daily limit; null if it is not known any more. */
  valueUsd: string | null;
  /** The network fees of its transactions, paid or reserved, in USD, as far as known. */
  feesUsd: readonly string[];
  summary: string;
  assets(asset: Effect["asset"]): PricedAsset | null;
}

export interface Replayed extends PolicyDecision {
  valueUsd: string | null;
}

/** Judges past sends by other rules, in order: denied ones take nothing of their daily limit. */
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
