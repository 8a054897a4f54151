import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { insertQuote } from "#server/quotes/queries.ts";
import { Quote } from "#server/quotes/schema.ts";
import { readPolicyState } from "../judge.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { hashOf, judgePayload, networkOf, payloadOf } from "./payload.ts";
import { QuoteSignature } from "./schema.ts";

export const quoteSignature = operation({
  id: "wallets.signatures.quote",
  method: "POST",
  path: "/wallets/{walletId}/signatures/quote",
  summary: "Quote a signature",
  description:
    "Checks a message (EIP-191) or typed data (EIP-712), and returns the decision of the wallet's policy on signing it. Permits, Permit2 and transfers by signature count as spending their amount; the amount of a transfer by signature (EIP-3009) is reserved until it is used or expires. The quote is valid for 60 seconds and is executed once; signing is free.",
  scope: "wallets:sign",
  service: "managed-wallets",
  idempotent: true,
  params: WalletParams,
  body: QuoteSignature,
  output: z.object({ quote: Quote }),
  status: 201,
  errors: ["not_found"],
  examples: { body: { kind: "message", message: "I am the owner of this wallet." } },

  async handler({ params, body, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const payload = payloadOf(body);
    const payloadHash = hashOf(payload);
    const network = networkOf(payload);
    const state = await readPolicyState(db, { wallet, network });
    const { decision, reasons } = judgePayload(state, payload);
    return {
      quote: await insertQuote(db, {
        wallet,
        kind: "signature",
        input: payload,
        expected: null,
        minimum: null,
        fees: [],
        chargedCredits: 0,
        policy: { decision, reasons },
        plan: { network, payload, payloadHash },
      }),
    };
  },
});
