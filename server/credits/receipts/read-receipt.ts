import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { z } from "zod";
import { payments } from "#db/schema/payments.ts";
import { defined } from "#server/base/defined.ts";
import { address, decimalAmount, network } from "#server/chains/schema.ts";
import { notFound } from "#server/operation/errors.ts";
import { instant, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";

const Receipt = z.object({
  id: typeId("receipt"),
  issuedAt: instant,
  accountId: typeId("account"),
  creditedUsd: z.number().describe("The paid amount in USD."),
  creditedCredits: z.int().describe("The credits that it bought."),
  payment: z
    .object({
      network,
      asset: address,
      amount: decimalAmount,
      payer: address,
      payTo: address,
      transactionHash: z.string().describe("The transaction of the transfer."),
      logIndex: z.int().describe("Its event in the block."),
    })
    .describe("The transfer that paid."),
  reversed: z
    .boolean()
    .describe(
      "Whether the transfer has left its chain since, and its credits were taken back; the signature can't say so.",
    ),
  jws: z
    .string()
    .describe("The whole receipt, signed (JWS, EdDSA); the keys are at `/.well-known/jwks.json`."),
});

/** Served at the root by a handler of its own, beside the registry: the receipt's id is enough to check it. */
export const readReceipt = operation({
  id: "credits.receipts.read",
  method: "GET",
  path: "/receipts/{receiptId}",
  summary: "Read the signed receipt of a purchase",
  scope: null,
  params: z.object({ receiptId: typeId("receipt") }),
  output: z.object({ receipt: Receipt }),
  errors: ["not_found"],

  async handler({ params: { receiptId }, db }) {
    const [row] = await db
      .select({ jws: payments.receipt, state: payments.state })
      .from(payments)
      .where(eq(payments.receiptId, receiptId));
    if (!row?.jws) throw notFound("receipt", receiptId);
    const { jti, sub, iat = 0, iss, ...claims } = decodeJwt(row.jws);
    return {
      receipt: {
        ...(claims as Pick<z.input<typeof Receipt>, "creditedUsd" | "creditedCredits" | "payment">),
        id: receiptId,
        accountId: defined(sub),
        reversed: row.state === "reversed",
        jws: row.jws,
        issuedAt: new Date(iat * 1000).toISOString(),
      },
    };
  },
});
