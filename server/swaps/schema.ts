import { z } from "zod";
import { address, asset, network, positiveAmount } from "#server/chains/schema.ts";
import { exampleId, instant, sentId, typeId } from "#server/operation/fields.ts";
import { approvalId, endedAt, failure, ofWallet } from "#server/wallets/schema.ts";
import { ROUTE_STATUSES, SWAP_STATUSES } from "./statuses.ts";

const EXAMPLE_USD = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const EXAMPLE_HASH = "0x5f2a6b1c9d3e4f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8";
const EXAMPLE_WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const shownNetwork = z.string().meta({ description: "The chain's CAIP-2 id.", examples: ["eip155:31337"] });
const shownAsset = z
  .string()
  .meta({ description: "`native`, or the token's address.", examples: ["native"] });

const hash = (what: string) => z.string().meta({ description: what, examples: [EXAMPLE_HASH] });

export const SwapToken = z
  .object({
    network: shownNetwork,
    asset: shownAsset,
    symbol: z.string().describe("The asset's symbol, e.g. `USDC`."),
    name: z.string().describe("The asset's full name."),
    decimals: z.int().describe("The number of decimals of its amounts."),
    priceUsd: z
      .string()
      .nullable()
      .describe("The price of one unit by the pools' current state; null without a reliable price."),
  })
  .meta({
    id: "SwapToken",
    description: "An asset that can be swapped.",
    examples: [
      {
        network: "eip155:31337",
        asset: "native",
        symbol: "ETH",
        name: "Ether",
        decimals: 18,
        priceUsd: "3000.12",
      },
    ],
  });

const from = z
  .strictObject({
    network,
    asset,
    amount: positiveAmount.describe("The exact amount to swap, in whole units."),
  })
  .meta({ id: "SwapInput" })
  .describe("The input of the swap.");
const to = z.strictObject({ network, asset }).meta({ id: "SwapOutput" }).describe("The output of the swap.");
const slippageBps = z
  .int()
  .min(0)
  .max(5000)
  .default(50)
  .describe("The maximum slippage in basis points (1/100 percent), 0 to 5000.");

export const QuoteSwap = z.object({
  walletId: sentId("wallet").describe("The wallet that pays the input and receives the output."),
  from,
  to,
  slippageBps,
});

export const PrepareSwap = z.object({
  sender: address.describe("The address of the external wallet that will sign and send the steps."),
  recipient: address.optional().describe("The address that receives the output; by default the sender."),
  from,
  to,
  slippageBps,
});

export const ExecuteSwap = z.object({
  quoteId: sentId("quote").describe("The quote of a swap, at most 60 seconds old and not used before."),
});

const fee = z.object({
  type: z.string().meta({ description: "What the fee is for: `pool` or `bridge`.", examples: ["pool"] }),
  asset: shownAsset,
  amount: z.string().describe("The amount in whole units of the asset."),
  valueUsd: z.string().nullable().describe("The amount's value in USD; null without a price."),
});

const SwappedInput = z
  .object({
    network: shownNetwork,
    asset: shownAsset,
    amount: z.string().describe("The input amount, in whole units."),
  })
  .meta({ id: "SwappedInput" });

export const Swap = z
  .object({
    id: typeId("swap"),
    quoteId: typeId("quote").describe("The quote that the swap executes."),
    walletId: typeId("wallet").describe("The wallet that pays the input and receives the output."),
    from: SwappedInput.describe("The input of the swap."),
    to: z
      .object({
        network: shownNetwork,
        asset: shownAsset,
        expected: z.string().describe("The expected output by the quote, in whole units."),
        minimum: z.string().describe("The minimum output, in whole units; with less, the swap fails."),
        received: z
          .string()
          .nullable()
          .describe("The received amount by the chain, without network fees; null before."),
      })
      .describe("The output of the swap."),
    status: z.enum(SWAP_STATUSES).meta({
      id: "SwapStatus",
      description:
        "`awaiting_approval` → `pending` → `source_submitted` → `source_confirmed` → `completed`; across chains through `filling`, and if it is not filled in time through `refunding` to `refunded`. Otherwise `failed`. After a reorganisation, the status returns to the chain's state.",
    }),
    transactions: z
      .array(z.object({ network: shownNetwork, hash: hash("The transaction's hash.") }))
      .describe("The swap's transactions so far, in order."),
    routeId: typeId("route")
      .nullable()
      .describe("The route that tracks the swap on the chains; null before it is sent."),
    fees: z.array(fee).describe("The fees deducted from the swap, without network fees."),
    failure,
    approvalId,
    chargedCredits: z.int().describe("The charged credits; 0 before the swap is sent."),
    ...ofWallet,
    createdAt: instant,
    endedAt,
  })
  .meta({
    id: "Swap",
    description: "An exchange of one asset for another, within a chain or across two.",
    examples: [
      {
        id: exampleId("swap"),
        quoteId: exampleId("quote"),
        walletId: exampleId("wallet"),
        from: { network: "eip155:31337", asset: EXAMPLE_USD, amount: "100" },
        to: {
          network: "eip155:31337",
          asset: "native",
          expected: "0.0331",
          minimum: "0.0329",
          received: "0.0331",
        },
        status: "completed",
        transactions: [{ network: "eip155:31337", hash: EXAMPLE_HASH }],
        routeId: exampleId("route"),
        fees: [{ type: "pool", asset: EXAMPLE_USD, amount: "0.3", valueUsd: "0.3" }],
        failure: null,
        approvalId: null,
        chargedCredits: 5,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        endedAt: "2027-01-31T12:00:01.120Z",
      },
    ],
  });

export type Swap = z.output<typeof Swap>;

export const SwapStep = z
  .object({
    type: z.enum(["approve", "swap", "bridge"]).describe("The kind of step."),
    network: shownNetwork,
    to: z.string().describe("The contract to call."),
    data: z.string().describe("The calldata, in hex. Send it as it is: the route is bound to it."),
    value: z.string().describe("The native amount to send along, in wei."),
    gas: z.string().describe("A sufficient gas limit."),
    description: z.string().describe("A readable description of the transaction's effect."),
  })
  .meta({
    id: "SwapStep",
    description: "An unsigned transaction.",
    examples: [
      {
        type: "approve",
        network: "eip155:31337",
        to: EXAMPLE_USD,
        data: "0x095ea7b3",
        value: "0",
        gas: "80000",
        description: "Let 0xCf7E…0Fc9 take exactly 100 USD.",
      },
    ],
  });

export const PreparedSwap = z
  .object({
    routeId: typeId("route").describe("The route's id, for `GET /swaps/routes/{routeId}`."),
    steps: z
      .array(SwapStep)
      .describe("The transactions to sign and send in this order, each after the previous one was mined."),
    minimumReceived: z.string().describe("The minimum output, in whole units."),
    expiresAt: instant.describe("When the last step expires. If it is not sent before, nothing is lost."),
  })
  .meta({
    id: "PreparedSwap",
    description: "The steps of a swap for an external wallet.",
    examples: [
      {
        routeId: exampleId("route"),
        steps: [
          {
            type: "swap",
            network: "eip155:31337",
            to: "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9",
            data: "0xac9650d8",
            value: "100000000000000000",
            gas: "310000",
            description: "Swap 0.1 ETH for at least 298.4 USD, received by 0x7099…79C8.",
          },
        ],
        minimumReceived: "298.4",
        expiresAt: "2027-01-31T12:10:00.000Z",
      },
    ],
  });

export const SwapRoute = z
  .object({
    id: typeId("route"),
    swapId: typeId("swap")
      .nullable()
      .describe("The managed wallet's swap that the route belongs to; null for an external wallet."),
    sender: z.string().meta({ description: "The address that sends the steps.", examples: [EXAMPLE_WALLET] }),
    recipient: z
      .string()
      .meta({ description: "The address that receives the output.", examples: [EXAMPLE_WALLET] }),
    from: SwappedInput.describe("The input of the swap."),
    to: z
      .object({
        network: shownNetwork,
        asset: shownAsset,
        minimum: z.string().describe("The minimum output, in whole units."),
      })
      .describe("The output of the swap."),
    status: z
      .enum(ROUTE_STATUSES)
      .describe(
        "`prepared` until its last step is seen on the chain, then `observed`; across chains `filling` until the relayer has delivered. `expired`: the step was not mined in time. A step that a reorganisation removes is waited for again.",
      ),
    sourceTransactionHash: hash("The transaction that gave.").nullable(),
    destinationTransactionHash: hash(
      "The transaction that delivered, the same one within a chain; or the one that refunded.",
    ).nullable(),
    received: z
      .string()
      .nullable()
      .describe("The received amount by the chain, in whole units; null before."),
    failure,
    expiresAt: instant.describe("When the route's last step expires."),
    projectId: typeId("project").nullable().describe("The project that the route belongs to; null if none."),
    endUser: z
      .string()
      .nullable()
      .describe("Your id of the end user that the route belongs to; null if none."),
    createdAt: instant,
    endedAt,
  })
  .meta({
    id: "SwapRoute",
    description: "A swap's state on the chains.",
    examples: [
      {
        id: exampleId("route"),
        swapId: null,
        sender: EXAMPLE_WALLET,
        recipient: EXAMPLE_WALLET,
        from: { network: "eip155:31337", asset: "native", amount: "0.1" },
        to: { network: "eip155:31338", asset: EXAMPLE_USD, minimum: "298.4" },
        status: "filling",
        sourceTransactionHash: EXAMPLE_HASH,
        destinationTransactionHash: null,
        received: null,
        failure: null,
        expiresAt: "2027-01-31T12:10:00.000Z",
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        endedAt: null,
      },
    ],
  });

export type SwapRoute = z.output<typeof SwapRoute>;

export const SwapParams = z.object({ swapId: typeId("swap") });
export const RouteParams = z.object({ routeId: typeId("route") });
