import { HTTPFacilitatorClient } from "@x402/core/http";
import { type Facilitator, payloadOf } from "./facilitator.ts";

// Most answer within seconds; what takes longer is found on the chain.
const TIMEOUT_MS = 20_000;

/** A facilitator at an address. */
export function remoteFacilitator(url: string): Facilitator {
  const client = new HTTPFacilitatorClient({ url, timeoutMs: TIMEOUT_MS });
  return {
    setting: "FACILITATOR_URL",
    verify: (transfer, requirement) => client.verify(payloadOf(transfer, requirement), requirement),
    settle: (transfer, requirement) => client.settle(payloadOf(transfer, requirement), requirement),
  };
}
