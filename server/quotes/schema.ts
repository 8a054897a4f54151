import { z } from "zod";
import { asset, decimalAmount } from "#server/chains/schema.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

const QUOTE_KINDS = ["transaction", "signature", "order", "swap"] as const;
export type QuoteKind = (typeof QUOTE_KINDS)[number];

/** For how many seconds a quote can be executed. */
export const QUOTE_SECONDS = 60;

export const QuoteFee = z
  .object({
    type: z.string().meta({ description: "What the fee is for, e.g. `network`.", examples: ["network"] }),
    asset: asset,
    amount: decimalAmount,
    valueUsd: decimalAmount.nullable().describe("The fee's value in USD; null without a price."),
  })
  .meta({ id: "QuoteFee", description: "A fee that the execution would pay." });

export type QuoteFee = z.output<typeof QuoteFee>;

export const PolicyDecision = z
  .object({
    decision: z
      .enum(["allow", "approval", "deny"])
      .describe(
        "`allow`: execution starts at once. `approval`: people decide first. `deny`: execution gets 403 `policy_denied`.",
      ),
    reasons: z.array(z.string()).describe("Human-readable reasons of the decision."),
  })
  .meta({
    id: "PolicyDecision",
    description: "The decision of the wallet's policy now. It is made again at execution.",
    examples: [{ decision: "allow", reasons: [] }],
  });

export type PolicyDecision = z.output<typeof PolicyDecision>;

export const Quote = z
  .object({
    id: typeId("quote"),
    kind: z.enum(QUOTE_KINDS).meta({ id: "QuoteKind", description: "The kind of action that is quoted." }),
    walletId: typeId("wallet"),
    input: z.record(z.string(), z.unknown()).describe("The quoted request."),
    expected: decimalAmount
      .nullable()
      .describe("The expected amount to receive; null for sends and signatures."),
    minimum: decimalAmount
      .nullable()
      .describe(
        "The minimum amount to receive; with less, the execution fails. Null for sends and signatures.",
      ),
    fees: z.array(QuoteFee).describe("The fees that the execution would pay."),
    chargedCredits: z.int().describe("The credits that the execution charges."),
    policy: PolicyDecision,
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("Your own id of the wallet's end user; null if none."),
    expiresAt: instant.describe("When the quote expires. Until then it can be executed once."),
    createdAt: instant,
  })
  .meta({
    id: "Quote",
    description:
      "The expected result of an action, and the policy's decision on it. A quote lives 60 seconds.",
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
