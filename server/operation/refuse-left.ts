import type { Call } from "./call.ts";
import { ApiError } from "./errors.ts";

/** The reason of a request's signal whose client has disconnected. */
export class ClientLeft extends DOMException {
  constructor() {
    super("The client left.", "AbortError");
  }
}

/**
 * Refuses a call by the API if its client left before the call began: an overloaded platform would otherwise serve
 * abandoned calls, and delay all others.
 */
export function refuseLeft({ transport, signal }: Pick<Call, "transport" | "signal">): void {
  if (transport !== "api" || !(signal.reason instanceof ClientLeft)) return;
  const text = "The client left before the call began; nothing was started.";
  throw new ApiError("service_unavailable", text, { operationState: "not_started", retryAfterSeconds: 1 });
}
