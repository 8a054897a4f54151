import canonicalize from "canonicalize";
import { getAddress, type Hex, isAddress } from "viem";
import { z } from "zod";
import { currentMs } from "#server/base/clock.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { SentPayment } from "#server/operation/operation.ts";
import type { SignedTransfer } from "#server/providers/facilitator/facilitator.ts";
import { legacyNetwork } from "./challenge.ts";
import type { Offer } from "./offer.ts";

/** How much longer than requested an authorization may be valid, to allow for clock differences. */
const SKEW_SECONDS = 60;

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }))
  .transform((text) => getAddress(text));
const digits = z.string().regex(/^\d{1,78}$/);
const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`);

const Transfer = z.object({
  signature: hex(/^0x([0-9a-f]{2}){1,2048}$/i),
  authorization: z.object({
    from: address,
    to: address,
    value: digits,
    validAfter: digits,
    validBefore: digits,
    nonce: hex(/^0x[0-9a-f]{64}$/i),
  }),
});

const Payload = z.discriminatedUnion("x402Version", [
  z.object({ x402Version: z.literal(2), accepted: z.record(z.string(), z.json()), payload: Transfer }),
  z.object({ x402Version: z.literal(1), scheme: z.string(), network: z.string(), payload: Transfer }),
]);

/** Returns the signed transfer that was sent; null if none was. Refuses any that is not exactly the requested one. */
export function readPayment({ signature, legacy }: SentPayment, offer: Offer): SignedTransfer | null {
  const [header, another] = [...signature, ...legacy];
  if (header === undefined) return null;
  if (another !== undefined) throw unfit("More than one payment was sent. Send one.");
  const read = Payload.safeParse(decoded(header));
  if (!read.success)
    throw unfit(
      "The payment can't be read: it must be base64 of x402's JSON with an EIP-3009 authorization.",
    );
  const { data } = read;
  const named =
    data.x402Version === 2
      ? canonicalize(data.accepted) === canonicalize(offer.requirement)
      : data.scheme === "exact" && data.network === legacyNetwork(offer.chain);
  if (!named) throw unfit("The payment accepts another requirement than the one asked for.");
  checkAuthorization(data.payload, offer);
  return data.payload;
}

function decoded(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, "base64").toString());
  } catch {
    return undefined;
  }
}

function checkAuthorization({ authorization }: SignedTransfer, { requirement }: Offer): void {
  const { to, value, validBefore } = authorization;
  if (to !== getAddress(requirement.payTo))
    throw unfit(`The authorization pays ${to}, not ${requirement.payTo}.`);
  if (BigInt(value) !== BigInt(requirement.amount))
    throw unfit(`The authorization is for ${value} units; ${requirement.amount} are asked for.`);
  // A long-lived authorization could be settled long after the call was given up.
  const latest = Math.floor(currentMs() / 1000) + requirement.maxTimeoutSeconds + SKEW_SECONDS;
  if (BigInt(validBefore) > BigInt(latest))
    throw unfit(`The authorization is valid for more than ${requirement.maxTimeoutSeconds} seconds.`);
}

function unfit(fault: string): ApiError {
  return new ApiError(
    "payment_invalid",
    `${fault} Ask for the payment again, without one, and sign the payment that Payment-Required describes.`,
  );
}
