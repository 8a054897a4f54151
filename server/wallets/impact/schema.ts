import { z } from "zod";
import { asset, network } from "#server/chains/schema.ts";
import { typeId } from "#server/operation/fields.ts";

const amount = z.string().meta({ description: "An amount in whole units of the asset.", examples: ["12.5"] });
const usd = z.string().meta({ description: "US dollars, as decimal text.", examples: ["250"] });

const BOUNDS = ["exactly", "at_most", "at_least"] as const;

const BalanceChange = z.object({
  network,
  asset,
  symbol: z.string().describe("The asset's symbol."),
  before: amount.nullable().describe("The wallet's current balance; null if the chain did not respond."),
  change: amount.describe("The change; negative if the balance decreases."),
  bound: z.enum(BOUNDS).describe("Whether the change is exact, a maximum or a minimum."),
  after: amount.nullable(),
  promised: amount.describe("The amount reserved for other resources that have not ended."),
});
export type BalanceChange = z.output<typeof BalanceChange>;

/** The impact of a wallet's resource that waits for an approval, in the current state. */
export const Impact = z.object({
  walletId: typeId("wallet"),
  frozen: z.boolean().describe("Whether the wallet is frozen."),
  network: network.nullable().describe("The chain; null for a signature that is bound to no chain."),
  valueUsd: usd.nullable().describe("The total value spent; null without a price."),
  cap: z
    .object({ limitUsd: usd, beforeUsd: usd, afterUsd: usd.nullable() })
    .nullable()
    .describe(
      "The amounts of today's limit that are spent or reserved without this resource and with it; null without a limit.",
    ),
  refusals: z
    .array(z.string())
    .describe("The reasons for which the current policy would refuse it; empty if it would not."),
  balances: z.array(BalanceChange).describe("The balances that change, without the network fee."),
  feeAtMost: z
    .object({
      symbol: z.string().describe("The native asset of the network."),
      amount,
      valueUsd: usd.nullable(),
    })
    .nullable()
    .describe("The maximum network fee; null if nothing is sent or if it is not known yet."),
  simulation: z
    .object({
      status: z
        .enum(["succeeded", "reverted", "unavailable"])
        .describe("The result of the simulation by the node."),
      reason: z
        .string()
        .nullable()
        .describe("The reason why the call reverts or the simulation is unavailable, if known."),
      blockNumber: z.int().nullable().describe("The block in whose state it was simulated."),
    })
    .nullable()
    .describe(
      "The simulation of the transactions in the chain's current state; if it succeeds, the balances are the simulated ones.",
    ),
  allowances: z
    .array(
      z.object({
        symbol: z.string().describe("The asset's symbol; its address if the asset is not listed."),
        amount: amount.nullable().describe("The allowed amount; null for any amount."),
        spender: z.string().describe("The address that may spend it."),
      }),
    )
    .describe("The allowances that result."),
  fields: z
    .array(
      z.object({
        name: z.string().describe("The path of the field."),
        value: z.string().describe("The value of the field."),
      }),
    )
    .describe("All signed fields."),
});
export type Impact = z.output<typeof Impact>;
