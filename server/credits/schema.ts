import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { LEDGER_KINDS } from "./kinds.ts";

const BalanceHistory = z
  .array(
    z.object({
      day: z.string().meta({ description: "The UTC day.", examples: ["2027-01-31"] }),
      totalCredits: z
        .int()
        .describe("What there was at its end, reserved credits included; today's are those of now."),
    }),
  )
  .describe("The balance at the end of each day, the oldest first; only where `historyDays` asks for it.");

export const Balance = z
  .object({
    availableCredits: z.int().describe("What can be spent now."),
    reservedCredits: z.int().describe("What is set aside for calls under way."),
    totalCredits: z.int().describe("Both together."),
    lowThreshold: z.int().describe("Below this the balance counts as low."),
    asOf: instant,
    history: BalanceHistory.optional(),
  })
  .meta({
    id: "Balance",
    description: "The account's credits; 1,000 are 1 USD.",
    examples: [
      {
        availableCredits: 9_980,
        reservedCredits: 20,
        totalCredits: 10_000,
        lowThreshold: 1000,
        asOf: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export const UpdateThreshold = z.object({
  lowThreshold: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .meta({ description: "Credits, from 1 on.", examples: [5000] }),
});

export const LedgerEntry = z
  .object({
    id: typeId("receipt"),
    at: instant,
    kind: z
      .enum(LEDGER_KINDS)
      .meta({ id: "LedgerEntryKind", description: "Where the credits came from or went." }),
    description: z.string().meta({ description: "What it was for.", examples: ["managed-memory put"] }),
    amount: z.int().describe("What it added; negative for a charge."),
    balanceAfter: z.int().describe("The total after it."),
    operation: z
      .string()
      .nullable()
      .meta({
        description: "The operation that was charged, as its exact selector.",
        examples: ["services.invoke.managed-memory.put"],
      }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: "The request that was charged.", examples: [exampleId("request")] }),
    projectId: typeId("project").nullable(),
    receiptUrl: z
      .string()
      .nullable()
      .meta({
        description: "Where the signed receipt of a purchase stands; null for other changes.",
        examples: [null],
      }),
  })
  .meta({ id: "LedgerEntry", description: "A change of the account's credits." });

export const TopUp = z.object({
  amountUsd: z
    .number({
      error: ({ input }) => (input === undefined ? undefined : "Send an amount in USD, like 25 or 12.5."),
    })
    .min(5, "At least 5.")
    .max(500, "At most 500.")
    .multipleOf(0.01, "At most two decimal places.")
    .meta({ description: "What to pay, in USD; 1 USD brings 1,000 credits.", examples: [25] }),
});
