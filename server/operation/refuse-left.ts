import type { Call } from "./call.ts";
import { ApiError } from "./errors.ts";

/**
 * Refuses a call by the API whose client has left before it began: under more load than the platform can serve, it would
 * otherwise do what nobody waits for any more, and be late for all others.
 */
export function refuseLeft({ transport, signal }: Pick<Call, "transport" | "signal">): void {
  if (transport !== "api" || !signal.aborted) return;
  const text = "The client left before the call began; nothing was started.";
  throw new ApiError("service_unavailable", text, { operationState: "not_started", retryAfterSeconds: 1 });
}
