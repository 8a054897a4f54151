import { z } from "zod";
import { asset, network } from "#server/chains/schema.ts";
import { typeId } from "#server/operation/fields.ts";

const amount = z.string().meta({ description: "In whole units of the asset.", examples: ["12.5"] });
const usd = z.string().meta({ description: "US dollars, as decimal text.", examples: ["250"] });

const BOUNDS = ["exactly", "at_most", "at_least"] as const;

const BalanceChange = z.object({
  network,
  asset,
  symbol: z.string().describe("What people call the asset."),
  before: amount.nullable().describe("What the wallet has now; null where the chain did not answer."),
  change: amount.describe("What is added, or taken off with a minus."),
  bound: z.enum(BOUNDS).describe("Whether it changes by exactly that, by no more or by no less."),
  after: amount.nullable(),
  promised: amount.describe("What is promised of it to other things that have not ended."),
});
export type BalanceChange = z.output<typeof BalanceChange>;

/** The impact of a wallet's resource that waits for an approval, in the current state. */
export const Impact = z.object({
  walletId: typeId("wallet"),
  frozen: z.boolean().describe("Whether the wallet is frozen."),
  network: network.nullable().describe("Null for what is bound to no chain."),
  valueUsd: usd.nullable().describe("What is spent together; null without a price."),
  cap: z
    .object({ limitUsd: usd, beforeUsd: usd, afterUsd: usd.nullable() })
    .nullable()
    .describe("What of today's cap is spent or promised without it, and with it; null without a cap."),
  refusals: z
    .array(z.string())
    .describe("Why the policy would refuse it as it is now; empty where it would not."),
  balances: z.array(BalanceChange).describe("The balances that it changes, without the network's fee."),
  feeAtMost: z
    .object({ symbol: z.string().describe("The network's own asset."), amount, valueUsd: usd.nullable() })
    .nullable()
    .describe("The most that the network may take; null where nothing is sent or that is not known yet."),
  simulation: z
    .object({
      status: z.enum(["succeeded", "reverted", "unavailable"]).describe("What the node says to it."),
      reason: z.string().nullable().describe("Why it reverts or is unavailable, where that is said."),
      blockNumber: z.int().nullable().describe("The block on which it was simulated."),
    })
    .nullable()
    .describe("Whether the chain would carry it out now; its balances are then the simulated ones."),
  allowances: z
    .array(
      z.object({
        symbol: z.string().describe("What people call the asset; its address where it is not listed."),
        amount: amount.nullable().describe("Null for any amount."),
        spender: z.string().describe("The address that may take it."),
      }),
    )
    .describe("Who may take what afterwards."),
  fields: z
    .array(
      z.object({ name: z.string().describe("The field's path."), value: z.string().describe("Its value.") }),
    )
    .describe("All that is signed."),
});
export type Impact = z.output<typeof Impact>;
