import { ApiError, ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import type { Step } from "./schema.ts";
import { isRepeatable } from "./send-request.ts";

/** How long to wait before the next attempt, where the step asks for one after such a failure; null where it has failed. */
export function secondsUntilNext({ retry, ...step }: Step, attempt: number, reason: unknown): number | null {
  if (!retry || !(reason instanceof ApiError) || isDatabaseGone(reason)) return null;
  const { code, details } = reason;
  const wanted = retry.on ? retry.on.includes(code) : isPassing(step, code);
  if (!wanted) return null;
  const backOff = Math.min(retry.backoffSeconds * retry.factor ** (attempt - 1), 86_400);
  return Math.max(backOff, details.retryAfterSeconds ?? 0);
}

/** Whether a failure may pass by itself, and another attempt does no harm. */
function isPassing(step: Pick<Step, "type">, code: ErrorCode): boolean {
  if (code === "service_timeout")
    return step.type === "http" && isRepeatable((step as Extract<Step, { type: "http" }>).method);
  return code === "service_failed" || ERRORS[code].retryable;
}
