import { z } from "zod";
import { currentTime } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { decimalAmount } from "#server/chains/schema.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { PolicyDecision } from "#server/quotes/schema.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { checkPolicy } from "./check-policy.ts";
import { MAX_REPLAYED, readPast } from "./read-past.ts";
import { replay } from "./replay.ts";
import { mergePolicy, PolicyChanges } from "./schema.ts";

const DAYS = 30;
const MAX_SHOWN = 200;

const Counts = z
  .object({
    allow: z.int().describe("The number of sends without an approval."),
    approval: z.int().describe("The number of sends that would have waited for an approval."),
    deny: z.int().describe("The number of denied sends."),
  })
  .meta({ id: "SimulatedDecisions" });

const Simulated = z.object({
  id: z.string().meta({
    description: "The id of the transaction, or of the swap or order to which it belongs.",
    examples: ["tx_01jz4w1n9vf5ha3kqcx8y2r7te"],
  }),
  at: instant,
  summary: z
    .string()
    .meta({ description: "A sentence that describes the send.", examples: ["Send 250 USD to 0x7099…79C8."] }),
  valueUsd: decimalAmount
    .nullable()
    .describe("The amount that counted against the daily limit; null without a price."),
  now: PolicyDecision.describe("The decision by the current policy."),
  draft: PolicyDecision.describe("The decision by the draft."),
});

const Simulation = z
  .object({
    from: instant,
    to: instant,
    transactions: z.int().describe("The number of replayed sends."),
    truncated: z
      .boolean()
      .describe(`Whether there were more than ${MAX_REPLAYED} sends; only the oldest of them were replayed.`),
    now: Counts.describe("The decisions by the current policy."),
    draft: Counts.describe("The decisions by the draft."),
    differing: z
      .array(Simulated)
      .describe(`The sends that the draft decides differently, newest first; at most ${MAX_SHOWN}.`),
  })
  .describe("The difference between a draft and the current policy.");

export type Simulation = z.output<typeof Simulation>;

export const simulatePolicy = operation({
  id: "wallets.policy.simulate",
  method: "POST",
  path: "/wallets/{walletId}/policy/simulate",
  summary: "Replay transactions against a draft policy",
  description: `Judges the wallet's sends of the last ${DAYS} days by the current policy and by a draft, in order and with each day's limit. Values are those of the time of the send, if known. Nothing is changed.`,
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  body: z.object({
    draft: PolicyChanges.describe(
      "The draft: the fields that an update would send. Other fields keep their values.",
    ),
  }),
  output: z.object({ simulation: Simulation }),
  errors: ["not_found"],
  examples: { body: { draft: { dailyLimitUsd: "500" } } },

  async handler({ params, body, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const draft = mergePolicy(wallet.policy, body.draft);
    checkPolicy(draft, "body.draft");
    const to = currentTime();
    const from = new Date(to.getTime() - DAYS * DAY_MS);
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
        truncated: past.length >= MAX_REPLAYED,
        now: countsOf(before),
        draft: countsOf(after),
        differing: differing.toReversed().slice(0, MAX_SHOWN),
      },
    };
  },
});

function countsOf(judged: readonly { decision: "allow" | "approval" | "deny" }[]) {
  const counts = { allow: 0, approval: 0, deny: 0 };
  for (const { decision } of judged) counts[decision] += 1;
  return counts;
}
