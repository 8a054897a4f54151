import { z } from "zod";
import { decimalAmount } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { PolicyDecision } from "#server/quotes/schema.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { checkPolicy } from "./check-policy.ts";
import { MOST_REPLAYED, readPast } from "./read-past.ts";
import { replay } from "./replay.ts";
import { mergePolicy, PolicyChanges } from "./schema.ts";

const DAYS = 30;
const MOST_SHOWN = 200;

const Counts = z
  .object({
    allow: z.int().describe("How many would have been sent at once."),
    approval: z.int().describe("How many would have waited for people."),
    deny: z.int().describe("How many would have been denied."),
  })
  .meta({ id: "SimulatedDecisions" });

const Simulated = z.object({
  id: z.string().meta({
    description: "The transaction, or the swap or order that it belongs to.",
    examples: ["tx_01jz4w1n9vf5ha3kqcx8y2r7te"],
  }),
  at: instant,
  summary: z
    .string()
    .meta({ description: "What was done, in words.", examples: ["Send 250 USD to 0x7099…79C8."] }),
  valueUsd: decimalAmount.nullable().describe("What it took of its day; null without a price."),
  now: PolicyDecision.describe("What the policy as it is says."),
  draft: PolicyDecision.describe("What the draft says."),
});

const Simulation = z
  .object({
    from: instant,
    to: instant,
    transactions: z.int().describe("How many were replayed."),
    truncated: z
      .boolean()
      .describe(`Whether there were more than ${MOST_REPLAYED}, of which the oldest were.`),
    now: Counts.describe("By the policy as it is."),
    draft: Counts.describe("By the draft."),
    differing: z
      .array(Simulated)
      .describe(`What the draft judges otherwise, the newest first; at most ${MOST_SHOWN}.`),
  })
  .describe("What a draft would have changed.");

export type Simulation = z.output<typeof Simulation>;

export const simulatePolicy = operation({
  id: "wallets.policy.simulate",
  method: "POST",
  path: "/wallets/{walletId}/policy/simulate",
  summary: "Replay transactions against a draft policy",
  description: `Judges what the wallet has sent in the last ${DAYS} days by the policy as it is and by a draft, in order and with each day's limit. Values are those of the time, where they are known. Nothing changes.`,
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  body: z.object({ draft: PolicyChanges.describe("What an update would send; the rest stays as it is.") }),
  output: z.object({ simulation: Simulation }),
  errors: ["not_found"],
  examples: { body: { draft: { dailyLimitUsd: "500" } } },

  async handler({ params, body, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const draft = mergePolicy(wallet.policy, body.draft);
    checkPolicy(draft, "body.draft");
    const to = new Date();
    const from = new Date(to.getTime() - DAYS * 86_400_000);
    const past = await readPast(db, wallet, from);
    const { networkFees } = platform().settings;
    const before = replay(wallet.policy, past, networkFees);
    const after = replay(draft, past, networkFees);
    const both = past.flatMap(({ id, at, summary }, index) => {
      const [now, then] = [before[index], after[index]];
      if (!now || !then) return [];
      return [{ id, at: at.toISOString(), summary, valueUsd: then.valueUsd, now, draft: then }];
    });
    const differing = both.filter(({ now, draft }) => now.decision !== draft.decision);
    return {
      simulation: {
        from: from.toISOString(),
        to: to.toISOString(),
        transactions: past.length,
        truncated: past.length >= MOST_REPLAYED,
        now: countsOf(before),
        draft: countsOf(after),
        differing: differing.toReversed().slice(0, MOST_SHOWN),
      },
    };
  },
});

function countsOf(judged: readonly { decision: "allow" | "approval" | "deny" }[]) {
  const counts = { allow: 0, approval: 0, deny: 0 };
  for (const { decision } of judged) counts[decision] += 1;
  return counts;
}
