import { z } from "zod";
import { address, asset, decimalAmount, network } from "#server/chains/schema.ts";
import { exampleId, instant, label, sentId, typeId } from "#server/operation/fields.ts";
import { approvalId, endedAt, failure, ofWallet } from "../schema.ts";
import { TRANSACTION_STATUSES } from "../statuses.ts";

/** The size limits of a transaction; published in `/pricing`. */
const TRANSACTION_LIMITS = { maximumDataBytes: 32_768 } as const;

const DecodedCall = z.object({
  contract: z.string().describe("The called contract."),
  method: z
    .string()
    .nullable()
    .describe(
      "The function's signature, or its selector if the function is unknown; null for data without a selector.",
    ),
  arguments: z
    .array(
      z.object({
        name: z.string().describe("The argument's name; for a field of a struct, its path."),
        type: z.string().describe("The argument's type in Solidity."),
        value: z
          .string()
          .describe("The argument's value; numbers are decimal, and amounts are in the smallest units."),
      }),
    )
    .nullable()
    .describe("The arguments, in order; null if the function is unknown."),
});

const TransactionDirection = z.enum(["out", "in"]).meta({
  id: "TransactionDirection",
  description: "`out` if the wallet sends it, `in` if the wallet receives it.",
});

export const Transaction = z
  .object({
    id: typeId("transaction"),
    walletId: typeId("wallet").describe("The wallet of the transaction."),
    direction: TransactionDirection,
    quoteId: typeId("quote").nullable().describe("The executed quote; null if there is none."),
    clientReference: z
      .string()
      .nullable()
      .describe("Your own reference, unique among the wallet's transactions."),
    network: z.string().describe("The chain's CAIP-2 id."),
    from: z.string().describe("The sending address."),
    to: z.string().describe("The receiving address."),
    asset: z.string().describe("`native`, or the token's address."),
    amount: z.string().describe("The amount, in whole units of the asset."),
    data: z.string().nullable().describe("The requested calldata, in hex."),
    summary: z
      .string()
      .describe(
        "A sentence that describes the transaction; decoded from its bytes if they call a known function.",
      ),
    calls: z
      .array(DecodedCall)
      .describe("The called functions, for a batch each of them; empty if it only sends the native asset."),
    source: z
      .object({
        type: z.enum(["swap", "order"]).describe("The kind of resource."),
        id: z.string().describe("The id of the swap or order."),
      })
      .nullable()
      .describe("The swap or order that sent the transaction."),
    status: z.enum(TRANSACTION_STATUSES).meta({
      id: "WalletTransactionStatus",
      description:
        "`awaiting_approval` → `reserved` → `signed` → `broadcast` → `confirmed`; otherwise `failed`, `rejected`, `cancelled` or `expired`. After a reorganisation of the chain the status is `broadcast` again.",
    }),
    failure,
    approvalId,
    hash: z
      .string()
      .nullable()
      .describe("The hash on the chain; it changes if the transaction is replaced with higher fees."),
    nonce: z.int().nullable().describe("The transaction's nonce."),
    attempts: z.int().describe("The number of times it was signed; more than one if fees had to be raised."),
    feePaid: z.string().nullable().describe("The paid network fee, in the native asset."),
    blockNumber: z.int().nullable().describe("The block that contains the transaction."),
    confirmations: z
      .int()
      .describe("The number of blocks since the transaction, its own included; counted until it is final."),
    chargedCredits: z.int().describe("The charged credits; 0 before the transaction is broadcast."),
    ...ofWallet,
    createdAt: instant,
    signedAt: instant.nullable().describe("The time when it was first signed."),
    broadcastAt: instant.nullable().describe("The time when the chain first accepted it."),
    confirmedAt: instant.nullable().describe("The time when it had enough confirmations."),
    finalizedAt: instant
      .nullable()
      .describe("The time from which no reorganisation is expected to revert it."),
    endedAt,
  })
  .meta({
    id: "WalletTransaction",
    description: "A transaction that a wallet sends or receives.",
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
  to: address.describe("The recipient, or the called contract."),
  asset,
  amount: decimalAmount.describe(
    "The amount, in whole units of the asset; `0` for a call without a payment.",
  ),
  data: z
    .string()
    .max(2 * TRANSACTION_LIMITS.maximumDataBytes + 2, `At most ${TRANSACTION_LIMITS.maximumDataBytes} bytes.`)
    .regex(/^0x([0-9a-fA-F]{2})*$/, "Not bytes in hexadecimal: 0x and two digits for each.")
    .optional()
    .meta({ description: "The calldata; only with the native asset.", examples: ["0xd0e30db0"] }),
});

export const CreateTransaction = z.object({
  quoteId: sentId("quote").describe("The quote to execute, once, within its 60 seconds."),
  clientReference: label
    .optional()
    .describe("Your own reference, unique for ever among the wallet's transactions of all keys."),
});
