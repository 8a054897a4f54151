import { z } from "zod";
import { address, asset, decimalAmount, network } from "#server/chains/schema.ts";
import { endUserName, exampleId, instant, label, typeId } from "#server/operation/fields.ts";
import { OPEN_POLICY, Policy, PolicyChanges } from "./policy/schema.ts";
import { WALLET_STATUSES } from "./statuses.ts";

/** Fields that a wallet's resources inherit from it. */
export const ofWallet = {
  projectId: typeId("project").nullable().describe("The project of the wallet."),
  endUser: z.string().nullable().describe("The end user of the wallet, by your own id."),
};

/** The approval of an action that a policy left to people. */
export const approvalId = typeId("approval")
  .nullable()
  .describe("The approval that it waits for, or waited for.");

/** When an action ended. */
export const endedAt = instant.nullable().describe("The time when it ended, with any status.");

/** Why an action did not complete, as far as the reason is reported. */
export const failure = z
  .object({
    code: z
      .string()
      .describe(
        "The reason as a code, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`.",
      ),
    message: z.string().describe("The reason as a sentence."),
  })
  .meta({ id: "WalletFailure" })
  .nullable()
  .describe("The reason why it failed; null if it succeeded or has not ended.");

export const Wallet = z
  .object({
    id: typeId("wallet"),
    label: z.string().describe("The wallet's label."),
    address: address.describe("The wallet's address, the same on every EVM chain, with an EIP-55 checksum."),
    family: z.literal("evm").describe("The family of chains that the wallet is for."),
    networks: z.array(network).describe("The chains of this installation on which the wallet works."),
    status: z.enum(WALLET_STATUSES).meta({
      id: "WalletStatus",
      description: "A frozen wallet can be read and receives; it sends and signs nothing.",
    }),
    policy: Policy,
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The end user to whom the wallet belongs, by your own id."),
    createdAt: instant,
  })
  .meta({
    id: "Wallet",
    description: "A custodial wallet. Its key is encrypted and never leaves the platform.",
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
  label: label.describe("A label for people, 1 to 200 characters."),
  policy: PolicyChanges.optional().describe(
    "The wallet's policy. By default everything is allowed without an approval.",
  ),
  endUser: endUserName
    .nullable()
    .optional()
    .describe(
      "The end user to whom the wallet belongs, by your own id; by default the end user of the call.",
    ),
});

export const Balance = z
  .object({
    network,
    asset,
    symbol: z.string().meta({ description: "The asset's symbol.", examples: ["ETH"] }),
    decimals: z.int().describe("The number of the asset's decimal places."),
    amount: decimalAmount.describe("The wallet's balance on the chain, in whole units."),
    reserved: decimalAmount.describe(
      "The amount reserved for transactions, orders, signed transfers and approvals that have not ended.",
    ),
    available: decimalAmount.describe("The amount less the reserved amount."),
    valueUsd: decimalAmount
      .nullable()
      .describe(
        "The current value of the amount; null if the asset has no reliable price: none is known, or the pools, or the spot price and the average of 30 minutes, differ by more than a factor of 1.2.",
      ),
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The end user of the wallet, by your own id."),
    asOf: instant.describe("The time when the chain was read."),
  })
  .meta({
    id: "WalletBalance",
    description: "The balance of a wallet in one asset on one chain.",
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
