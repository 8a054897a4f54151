import { z } from "zod";
import { ping } from "../http/ping.ts";
import { safeFetch } from "../http/safe-fetch.ts";
import { type Facilitator, payloadOf, type Requirement, type SignedTransfer } from "./facilitator.ts";

// Most respond within seconds; slower settlements are found on the chain.
const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Reasons are codes. Other text must not get into a header or a sentence. */
const Reason = z
  .string()
  .regex(/^[\x20-\x7e]{1,200}$/)
  .optional()
  .catch(undefined);
const Verified = z.object({ isValid: z.boolean(), invalidReason: Reason });
const Settled = z.object({ success: z.boolean(), transaction: z.string(), errorReason: Reason });

/** A facilitator at an address. */
export function remoteFacilitator(url: string): Facilitator {
  const base = url.replace(/\/+$/, "");
  async function ask(action: "verify" | "settle", transfer: SignedTransfer, requirement: Requirement) {
    const paymentPayload = payloadOf(transfer, requirement);
    const { x402Version } = paymentPayload;
    const answer = await safeFetch(`${base}/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ x402Version, paymentPayload, paymentRequirements: requirement }),
      timeoutMs: TIMEOUT_MS,
      maximumBytes: MAX_ANSWER_BYTES,
      // The operator chose the address.
      trusted: true,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`The facilitator answered ${answer.status} to ${action}.`);
    return JSON.parse(text);
  }
  return {
    setting: "FACILITATOR_URL",
    verify: async (...payment) => Verified.parse(await ask("verify", ...payment)),
    settle: async (...payment) => Settled.parse(await ask("settle", ...payment)),
    check: () => ping(`${base}/supported`),
  };
}
