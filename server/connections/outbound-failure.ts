import { ApiError } from "#server/operation/errors.ts";
import { OutboundError, type OutboundReason } from "#server/providers/http/outbound-error.ts";

const CODES = {
  address_refused: "policy_denied",
  name_not_found: "service_unavailable",
  connection_failed: "service_unavailable",
  connection_lost: "service_failed",
  invalid_answer: "service_failed",
  too_large: "service_failed",
  timeout: "service_timeout",
  aborted: "service_timeout",
} as const satisfies Record<OutboundReason, string>;

/**
 * Returns the caller's error for an outside system that did not respond: `unknown` if it may have received the
 * request.
 */
export function outboundFailure(error: unknown, peer: string): ApiError {
  if (!(error instanceof OutboundError)) throw error;
  return new ApiError(
    CODES[error.reason],
    `${peer}: ${error.message}`,
    { operationState: error.maybeSent ? "unknown" : "not_started" },
    { cause: error },
  );
}
