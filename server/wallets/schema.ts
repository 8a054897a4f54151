import { z } from "zod";
import { address, asset, decimalAmount, network } from "#server/chains/schema.ts";
import { exampleId, instant, label, typeId } from "#server/operation/fields.ts";
import { OPEN_POLICY, Policy, PolicyChanges } from "./policy/schema.ts";
import { WALLET_STATUSES } from "./statuses.ts";

/** Fields that a wallet's resources inherit from it. */
export const ofWallet = {
  projectId: typeId("project").nullable().describe("The project of its wallet."),
  endUser: z.string().nullable().describe("The end user of its wallet, by your own id."),
};

/** The approval of an action that a policy left to people. */
export const approvalId = typeId("approval").nullable().describe("The approval that it waits or waited for.");

/** When an action ended. */
export const endedAt = instant.nullable().describe("When it came to its end, of whatever kind.");

/** Why an action did not complete, as far as the reason is reported. */
export const failure = z
  .object({
    code: z
      .string()
      .describe("Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`."),
    message: z.string().describe("The same in words."),
  })
  .meta({ id: "WalletFailure" })
  .nullable()
  .describe("Why it did not come to what it was made for; null where it did, or still may.");

export const Wallet = z
  .object({
    id: typeId("wallet"),
    label: z.string().describe("What people call it."),
    address: address.describe("Its address, the same on every EVM chain, with its EIP-55 checksum."),
    family: z.literal("evm").describe("The family of chains that it is for."),
    networks: z.array(network).describe("The chains of this installation that it works on."),
    status: z.enum(WALLET_STATUSES).meta({
      id: "WalletStatus",
      description: "A frozen wallet receives and can be read; it sends and signs nothing.",
    }),
    policy: Policy,
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The end user whose it is, by your own id."),
    createdAt: instant,
  })
  .meta({
    id: "Wallet",
    description: "A custodial wallet: its key is sealed, and never leaves the platform.",
    examples: [
      {
        id: exampleId("wallet"),
        label: "Treasury",
        address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        family: "evm",
        networks: ["eip155:31337"],
        status: "active",
        policy: { version: 1, ...OPEN_POLICY, dailyLimitUsd: "1000" },
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Wallet = z.output<typeof Wallet>;

export const WalletParams = z.object({ walletId: typeId("wallet") });

export const CreateWallet = z.object({
  label: label.describe("What people call it, 1 to 200 characters."),
  policy: PolicyChanges.optional().describe("What it may do. By default everything, without an approval."),
  endUser: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .describe("The end user whose it is, by your own id; by default the one that the call acts for."),
});

export const Balance = z
  .object({
    network,
    asset,
    symbol: z.string().meta({ description: "What it is traded as.", examples: ["ETH"] }),
    decimals: z.int().describe("How many decimal places the asset has."),
    amount: decimalAmount.describe("What the chain says the wallet has, in whole units."),
    reserved: decimalAmount.describe("What is promised to transactions that the chain does not have yet."),
    available: decimalAmount.describe("The amount without what is reserved."),
    valueUsd: decimalAmount
      .nullable()
      .describe(
        "What the amount is worth now; null where the asset has no price that can be relied on: none is known, or pools, or spot and the average of 30 minutes, differ by more than a factor of 1.2.",
      ),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The end user of the wallet, by your own id."),
    asOf: instant.describe("When the chain was asked."),
  })
  .meta({
    id: "WalletBalance",
    description: "What a wallet has of one asset on one chain.",
    examples: [
      {
        network: "eip155:31337",
        asset: "native",
        symbol: "ETH",
        decimals: 18,
        amount: "2.5",
        reserved: "0.5",
        available: "2",
        valueUsd: "7500",
        projectId: null,
        endUser: null,
        asOf: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Balance = z.output<typeof Balance>;
