import { encodePaymentRequiredHeader } from "@x402/core/http";
import { EVM_NETWORK_CHAIN_ID_MAP } from "@x402/evm/v1";
import { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { Offer } from "./offer.ts";

const DESCRIPTION = "Credits";

/** The fields that clients of x402 v1 read beside `error`. */
export const LegacyChallenge = z.object({
  x402Version: z.literal(1).describe("The version of `accepts`; Payment-Required has the second one."),
  accepts: z
    .array(
      z.object({
        scheme: z.literal("exact").describe("Exactly this amount."),
        network: z.string().describe("The chain, by the protocol's name or, where it has none, by CAIP-2."),
        maxAmountRequired: z.string().describe("The amount, in the asset's smallest units."),
        resource: z.string().describe("The resource that is paid for."),
        description: z.string().describe("The same for people."),
        mimeType: z.string().describe("The media type of its response."),
        payTo: z.string().describe("Who is paid."),
        maxTimeoutSeconds: z.int().describe("For how long the authorization may be valid."),
        asset: z.string().describe("The token."),
        extra: z
          .object({
            name: z.string().describe("Its `name`."),
            version: z.string().describe("Its `version`."),
          })
          .describe("The token's EIP-712 domain."),
      }),
    )
    .describe("The payments that are taken (x402 v1)."),
});

/** Returns the name of a chain in x402 v1, which knows only some. */
export function legacyNetwork({ chainId, network }: Offer["chain"]): string {
  const known = Object.entries(EVM_NETWORK_CHAIN_ID_MAP).find(([, id]) => id === chainId);
  return known?.[0] ?? network;
}

/**
 * Returns the error that requests the payment, in the form of both versions; `refusal` says why a sent payment was
 * refused.
 */
export function paymentRequired(offer: Offer, refusal?: string): ApiError {
  const { chain, cents, requirement } = offer;
  const { amount, extra, ...rest } = requirement;
  const url = `${platform().settings.baseUrl}/v1/credits/x402/top-up`;
  const resource = { url, description: DESCRIPTION, mimeType: "application/json" };
  const usd = (cents / 100).toFixed(2);
  const legacy: z.input<typeof LegacyChallenge> = {
    x402Version: 1,
    accepts: [
      {
        ...rest,
        network: legacyNetwork(chain),
        maxAmountRequired: amount,
        extra,
        resource: url,
        description: DESCRIPTION,
        mimeType: resource.mimeType,
      },
    ],
  };
  return new ApiError(
    "payment_required",
    refusal
      ? `The payment was refused: ${refusal}. Nothing was charged; sign another one for ${usd} USD.`
      : `Sign the payment of ${usd} USD that Payment-Required asks for, and send the call again with Payment-Signature and the same Idempotency-Key.`,
    {
      headers: {
        "payment-required": encodePaymentRequiredHeader({
          x402Version: 2,
          resource,
          accepts: [requirement],
          error: refusal ?? "Payment required",
        }),
      },
      fields: legacy,
    },
  );
}
