import { z } from "zod";
import { asset, decimalAmount } from "#server/chains/schema.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

const QUOTE_KINDS = ["transaction", "signature", "order", "swap"] as const;
export type QuoteKind = (typeof QUOTE_KINDS)[number];

/** For how many seconds a quote can be executed. */
export const QUOTE_SECONDS = 60;

export const QuoteFee = z
  .object({
    type: z.string().meta({ description: "What it is paid for.", examples: ["network"] }),
    asset: asset,
    amount: decimalAmount,
    valueUsd: decimalAmount.nullable().describe("What that is worth in USD; null without a price."),
  })
  .meta({ id: "QuoteFee", description: "A fee that the execution would pay." });

export type QuoteFee = z.output<typeof QuoteFee>;

export const PolicyDecision = z
  .object({
    decision: z
      .enum(["allow", "approval", "deny"])
      .describe("`approval`: people decide first. `deny`: executing it answers 403 `policy_denied`."),
    reasons: z.array(z.string()).describe("Why, for people."),
  })
  .meta({
    id: "PolicyDecision",
    description: "What the wallet's policy says now. It is judged again at execution.",
    examples: [{ decision: "allow", reasons: [] }],
  });

export type PolicyDecision = z.output<typeof PolicyDecision>;

export const Quote = z
  .object({
    id: typeId("quote"),
    kind: z.enum(QUOTE_KINDS).describe("What it is a quote for."),
    walletId: typeId("wallet"),
    input: z.record(z.string(), z.unknown()).describe("What was asked for."),
    expected: decimalAmount.nullable().describe("What would be received; null for sends and signatures."),
    minimum: decimalAmount.nullable().describe("The least that is received, or it fails."),
    fees: z.array(QuoteFee).describe("The fees that the execution would pay."),
    chargedCredits: z.int().describe("What the execution charges, in credits."),
    policy: PolicyDecision,
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The end user of the wallet, by your own id."),
    expiresAt: instant.describe("Until when it can be executed, once."),
    createdAt: instant,
  })
  .meta({
    id: "Quote",
    description: "What an execution would do now, and whether the policy lets it. It lives 60 seconds.",
    examples: [
      {
        id: exampleId("quote"),
        kind: "transaction",
        walletId: exampleId("wallet"),
        input: {
          network: "eip155:31337",
          to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          asset: "native",
          amount: "0.5",
        },
        expected: null,
        minimum: null,
        fees: [{ type: "network", asset: "native", amount: "0.000042", valueUsd: "0.126" }],
        chargedCredits: 5,
        policy: { decision: "allow", reasons: [] },
        projectId: null,
        endUser: null,
        expiresAt: "2027-01-31T12:01:00.000Z",
        createdAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Quote = z.output<typeof Quote>;
