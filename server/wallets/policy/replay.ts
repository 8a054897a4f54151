import type { PolicyDecision } from "#server/quotes/schema.ts";
import type { Effect } from "../effects.ts";
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
  summary: string;
  assets(asset: Effect["asset"]): AssetFacts | null;
}

export interface Replayed extends PolicyDecision {
  valueUsd: string | null;
}

/** Judges what was sent by other rules, in order: what they would have denied takes nothing of its day. */
export function replay(rules: PolicyRules, past: readonly Past[]): Replayed[] {
  const used = new Map<string, bigint>();
  return past.map(({ at, network, effects, valueUsd, assets }) => {
    const day = at.toISOString().slice(0, 10);
    const before = used.get(day) ?? 0n;
    const facts = { rules, frozen: false, network, effects, assets, usedUsd: usdText(before) };
    const judged = decide({ ...facts, ...(valueUsd !== null && { valueUsd }) });
    if (judged.decision !== "deny") used.set(day, before + usdOf(judged.valueUsd ?? "0"));
    return judged;
  });
}
