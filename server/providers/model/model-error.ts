import { AISDKError, APICallError } from "ai";
import { redact } from "#server/base/log.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import { ModelError } from "./model.ts";

const MAX_TEXT = 300;

/**
 * Converts the failure of a model call. The library's errors contain the whole prompt, so none is kept as a cause.
 * Errors of neither the library nor the network are rethrown.
 */
export function modelError(reason: unknown): ModelError {
  const outbound = outboundIn(reason);
  if (outbound) return notAnswered(outbound);
  if (reason instanceof ModelError || !AISDKError.isInstance(reason)) throw reason;
  if (!APICallError.isInstance(reason) || reason.statusCode === undefined)
    return new ModelError("broken", short(reason.message));
  const { statusCode: status, responseHeaders } = reason;
  const wait = retryAfter(responseHeaders?.["retry-after"]);
  if (status === 429) return new ModelError("limiting", "It is limiting calls (429).", wait);
  if (status === 401 || status === 403)
    return new ModelError("denied", `It does not accept the credential (${status}).`);
  if (status === 408 || status >= 500)
    return new ModelError("unreachable", `It is not able to answer (${status}).`, wait);
  return new ModelError("broken", `It answered ${status}: ${short(reason.message)}`);
}

function outboundIn(reason: unknown): OutboundError | null {
  for (let error = reason; error instanceof Error; error = error.cause)
    if (error instanceof OutboundError) return error;
  return null;
}

function notAnswered({ reason, maybeSent, message }: OutboundError): ModelError {
  if (reason === "too_large" || reason === "address_refused") return new ModelError("broken", message);
  return new ModelError(maybeSent ? "lost" : "unreachable", short(message));
}

/** Returns the seconds of a `Retry-After`, which is a number or a date. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

function short(message: string): string {
  const text = redact(message);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
