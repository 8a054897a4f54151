import type { Call } from "./call.ts";
import { ApiError } from "./errors.ts";

/** The reason of a request's signal whose client has disconnected. */
export class ClientLeft extends DOMException {
  constructor() {
    super("The client left.", "AbortError");
  }
}

/**
 * Refuses a call by the API whose client has left before it began: under more load than the platform can serve, it would
 * otherwise do what nobody waits for any more, and be late for all others.
 */
export function refuseLeft({ transport, signal }: Pick<Call, "transport" | "signal">): void {
  if (transport !== "api" || !(signal.reason instanceof ClientLeft)) return;
  const text = "The client left before the call began; nothing was started.";
  throw new ApiError("service_unavailable", text, { operationState: "not_started", retryAfterSeconds: 1 });
}
