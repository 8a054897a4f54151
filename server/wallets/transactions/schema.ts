import { z } from "zod";
import { address, asset, decimalAmount, network } from "#server/chains/schema.ts";
import { exampleId, instant, label, typeId } from "#server/operation/fields.ts";
import { approvalId, endedAt, failure, ofWallet } from "../schema.ts";

export const TRANSACTION_STATUSES = [
  "awaiting_approval",
  "reserved",
  "signed",
  "broadcast",
  "confirmed",
  "failed",
  "rejected",
  "cancelled",
  "expired",
] as const;

/** The size limits of a transaction; published in `/pricing`. */
const TRANSACTION_LIMITS = { maximumDataBytes: 32_768 } as const;

const DecodedCall = z.object({
  contract: z.string().describe("The contract that is called."),
  method: z
    .string()
    .nullable()
    .describe("The function's signature; its selector where it is unknown; null for data without one."),
  arguments: z
    .array(
      z.object({
        name: z.string().describe("Its name; of a struct's field with the path to it."),
        type: z.string().describe("Its type in Solidity."),
        value: z.string().describe("Its value; numbers in decimals, of amounts the smallest units."),
      }),
    )
    .nullable()
    .describe("In their order; null where the function is unknown."),
});

export const Transaction = z
  .object({
    id: typeId("transaction"),
    walletId: typeId("wallet").describe("The wallet that it belongs to."),
    direction: z.enum(["out", "in"]).describe("Whether the wallet sends it, or it came in."),
    quoteId: typeId("quote").nullable().describe("The quote that it executes; null for what has none."),
    clientReference: z
      .string()
      .nullable()
      .describe("The customer's own name of it, unique among the wallet's transactions."),
    network: z.string().describe("The chain, as CAIP-2."),
    from: z.string().describe("The address that pays."),
    to: z.string().describe("The address that receives."),
    asset: z.string().describe("`native`, or the token's address."),
    amount: z.string().describe("How much is moved, in whole units of the asset."),
    data: z.string().nullable().describe("The calldata that was asked for, in hex."),
    summary: z
      .string()
      .describe(
        "What it does or has done, in words; decoded from its bytes where they are of a known function.",
      ),
    calls: z
      .array(DecodedCall)
      .describe("The functions that it calls, of a batch each; none where it sends the native asset alone."),
    source: z
      .object({
        type: z.enum(["swap", "order"]).describe("Which of both."),
        id: z.string().describe("Its id."),
      })
      .nullable()
      .describe("The swap or order that it belongs to."),
    status: z.enum(TRANSACTION_STATUSES).meta({
      id: "WalletTransactionStatus",
      description:
        "`awaiting_approval` → `reserved` → `signed` → `broadcast` → `confirmed`; else `failed`, `rejected`, `cancelled` or `expired`. After a reorganisation of the chain it is `broadcast` again.",
    }),
    failure,
    approvalId,
    hash: z
      .string()
      .nullable()
      .describe("Its hash on the chain; another one once it was replaced with higher fees."),
    nonce: z.int().nullable().describe("Its place among the address's transactions on the chain."),
    attempts: z.int().describe("How often it was signed; more than once where fees had to rise."),
    feePaid: z.string().nullable().describe("What the network took for it, in the native asset."),
    blockNumber: z.int().nullable().describe("The block that has it."),
    confirmations: z
      .int()
      .describe("How many blocks have it behind them, its own included; counted until it is final."),
    chargedCredits: z.int().describe("What it was charged; nothing before it is broadcast."),
    ...ofWallet,
    createdAt: instant,
    signedAt: instant.nullable().describe("When it was first signed."),
    broadcastAt: instant.nullable().describe("When the chain first took it."),
    confirmedAt: instant.nullable().describe("When it had enough confirmations."),
    finalizedAt: instant.nullable().describe("Since when no reorganisation is expected to take it back."),
    endedAt,
  })
  .meta({
    id: "WalletTransaction",
    description: "What a wallet sends, or what came in to it.",
    examples: [
      {
        id: exampleId("transaction"),
        walletId: exampleId("wallet"),
        direction: "out",
        quoteId: exampleId("quote"),
        clientReference: "payout-2027-01-31",
        network: "eip155:31337",
        from: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        to: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
        asset: "native",
        amount: "0.25",
        data: null,
        summary: "Sent 0.25 ETH to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
        calls: [],
        source: null,
        status: "confirmed",
        failure: null,
        approvalId: null,
        hash: "0x5f2a6b1c9d3e4f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
        nonce: 7,
        attempts: 1,
        feePaid: "0.000021",
        blockNumber: 1042,
        confirmations: 3,
        chargedCredits: 5,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        signedAt: "2027-01-31T12:00:00.010Z",
        broadcastAt: "2027-01-31T12:00:00.015Z",
        confirmedAt: "2027-01-31T12:00:01.020Z",
        finalizedAt: null,
        endedAt: "2027-01-31T12:00:01.020Z",
      },
    ],
  });

export type Transaction = z.output<typeof Transaction>;

export const TransactionParams = z.object({
  walletId: typeId("wallet"),
  transactionId: typeId("transaction"),
});

export const QuoteTransaction = z.object({
  network,
  to: address.describe("Who receives it, or the contract that is called."),
  asset,
  amount: decimalAmount.describe("How much is sent, in whole units of the asset; `0` for a mere call."),
  data: z
    .string()
    .max(2 * TRANSACTION_LIMITS.maximumDataBytes + 2, `At most ${TRANSACTION_LIMITS.maximumDataBytes} bytes.`)
    .regex(/^0x([0-9a-fA-F]{2})*$/, "Not bytes in hexadecimal: 0x and two digits for each.")
    .optional()
    .meta({ description: "Calldata, with the native asset only.", examples: ["0xd0e30db0"] }),
});

export const CreateTransaction = z.object({
  quoteId: typeId("quote").describe("The quote to execute, within its 60 seconds, once."),
  clientReference: label
    .optional()
    .describe("Your own name of it, unique among the wallet's transactions for ever, over all keys."),
});
