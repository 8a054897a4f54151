import { encodePaymentResponseHeader } from "@x402/core/http";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { ApiError } from "#server/operation/errors.ts";
import { exampleId, typeId } from "#server/operation/fields.ts";
import { type Commit, operation } from "#server/operation/operation.ts";
import type { SignedTransfer } from "#server/providers/facilitator/facilitator.ts";
import { balanceOf } from "../queries.ts";
import { Balance, TopUp } from "../schema.ts";
import { LegacyChallenge, paymentRequired } from "./challenge.ts";
import { type CreditedPayment, creditPayment } from "./credit-payment.ts";
import { creditsFor, type Offer, offerFor } from "./offer.ts";
import { beginPayment, paymentOfCall } from "./payments.ts";
import { readPayment } from "./sent-payment.ts";
import { settlePayment } from "./settle-payment.ts";

export const topUpCredits = operation({
  id: "credits.x402.topUp",
  method: "POST",
  path: "/credits/x402/top-up",
  summary: "Buy credits by an x402 payment",
  description:
    "Without a payment it answers 402 and asks for one: x402 v2 in `Payment-Required`, v1 in the body. Sign it, and send the same call again with `Payment-Signature` (or `X-PAYMENT`) and the same `Idempotency-Key`. Chain, token, recipient and amount are fixed by the server. While it is not known whether a payment was made the answer is 409 `settlement_pending`: repeat the call, with or without the payment, and do not pay again. The receipt stands, signed, at `/receipts/{receiptId}`.",
  scope: "credits:write",
  idempotent: true,
  external: true,
  payment: true,
  movesMoney: true,
  body: TopUp,
  output: z.object({
    creditedUsd: z.number().describe("The paid amount in USD."),
    creditedCredits: z.int().describe("The credits that it bought."),
    receiptId: typeId("receipt"),
    balance: Balance,
  }),
  errors: ["payment_required", "payment_invalid", "settlement_pending"],
  errorFields: { 402: LegacyChallenge },
  surfaces: ["api", "console"],
  examples: {
    output: {
      creditedUsd: 25,
      creditedCredits: 25_000,
      receiptId: exampleId("receipt"),
      balance: {
        availableCredits: 34_980,
        reservedCredits: 20,
        totalCredits: 35_000,
        lowThreshold: 1000,
        asOf: "2027-01-31T12:00:00.000Z",
      },
    },
  },

  async handler({ body, caller: { accountId }, db, request, response, commit, effectId }) {
    const before = await paymentOfCall(db, { accountId, effectId });
    if (before?.state === "credited") return answer(before, null);
    const offer = await offerFor(Math.round(body.amountUsd * 100));
    const transfer = readPayment(request.payment, offer);
    if (!before && !transfer) throw paymentRequired(offer);
    const payment =
      before ?? (await begin(commit, offer, { accountId, effectId, transfer: defined(transfer) }));
    return answer(payment, await settlePayment(db, offer, { payment, transfer }));

    function answer(
      ...[payment, proof]: [Parameters<typeof creditPayment>[1], Parameters<typeof creditPayment>[2]]
    ) {
      return commit(async (tx) => {
        const credited = await creditPayment(tx, payment, proof);
        response.header("Payment-Response", responseOf(credited));
        response.header("X-Service-Paid-Agent-Receipt", credited.receiptId);
        return {
          creditedUsd: credited.cents / 100,
          creditedCredits: creditsFor(credited.cents),
          receiptId: credited.receiptId,
          balance: await balanceOf(tx, accountId),
        };
      });
    }
  },
});

/** Records the payment after the facilitator has verified it. */
async function begin(
  commit: Pick<Commit<unknown>, "before">,
  offer: Offer,
  call: { accountId: string; effectId: string; transfer: SignedTransfer },
) {
  const { chain, facilitator, requirement } = offer;
  // The chain is asked first: a facilitator whose chain is unreachable calls every signature invalid.
  const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
  const { isValid, invalidReason } = await facilitator.verify(call.transfer, requirement).catch((cause) => {
    throw new ApiError(
      "service_unavailable",
      `The payment can't be checked: the facilitator of ${facilitator.setting} does not answer. Nothing was charged.`,
      { retryAfterSeconds: 5 },
      { cause },
    );
  });
  if (!isValid) throw paymentRequired(offer, invalidReason ?? "it is not valid");
  const finality = BigInt(chain.finality);
  const fromBlock = head > finality ? head - finality : 0n;
  return commit.before((tx) => beginPayment(tx, { ...call, offer, fromBlock }));
}

/** Returns the settlement in the form of x402. */
function responseOf({ transactionHash, network, payer, units }: CreditedPayment): string {
  return encodePaymentResponseHeader({
    success: true,
    transaction: transactionHash,
    payer,
    amount: units,
    network: network as Offer["requirement"]["network"],
  });
}
