import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { LEDGER_KINDS } from "./kinds.ts";

const BalanceHistory = z
  .array(
    z.object({
      day: z.string().meta({ description: "The UTC day.", examples: ["2027-01-31"] }),
      totalCredits: z
        .int()
        .describe("The credits at the end of the day, reserved ones included; for today, the current ones."),
    }),
  )
  .describe("The balance at the end of each day, oldest first; only with `historyDays`.");

export const Balance = z
  .object({
    availableCredits: z.int().describe("The credits that can be spent."),
    reservedCredits: z.int().describe("The credits reserved for calls in progress."),
    totalCredits: z.int().describe("The sum of both."),
    lowThreshold: z.int().describe("The balance below which it counts as low."),
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
    kind: z.enum(LEDGER_KINDS).meta({ id: "LedgerEntryKind", description: "The kind of change." }),
    description: z.string().meta({ description: "The description.", examples: ["managed-memory put"] }),
    amount: z.int().describe("The change in credits; negative for a charge."),
    balanceAfter: z.int().describe("The total after the change."),
    operation: z
      .string()
      .nullable()
      .meta({
        description: "The exact selector of the charged operation.",
        examples: ["services.invoke.managed-memory.put"],
      }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: "The charged request.", examples: [exampleId("request")] }),
    projectId: typeId("project").nullable(),
    receiptUrl: z
      .string()
      .nullable()
      .meta({
        description: "The address of a purchase's signed receipt; null for other changes.",
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
    .meta({ description: "The amount to pay, in USD; 1 USD buys 1,000 credits.", examples: [25] }),
});
