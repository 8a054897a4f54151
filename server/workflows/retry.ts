import { ApiError, ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import type { Step } from "./schema.ts";
import { isRepeatable } from "./send-request.ts";

/** A failed attempt, as the journal keeps it. */
export interface Failure {
  code: ErrorCode;
  message: string;
  retryAfterSeconds: number;
}

/** The failure, where the step asks for another attempt after such a one; null where the step has failed. */
export function worthRetrying({ retry, ...step }: Step, reason: unknown): Failure | null {
  if (!retry || !(reason instanceof ApiError) || isDatabaseGone(reason)) return null;
  const { code, message, details } = reason;
  const wanted = retry.on ? retry.on.includes(code) : isPassing(step, code);
  return wanted ? { code, message, retryAfterSeconds: details.retryAfterSeconds ?? 0 } : null;
}

/** Whether a failure may pass by itself, and another attempt does no harm. */
function isPassing(step: Pick<Step, "type">, code: ErrorCode): boolean {
  if (code === "service_timeout")
    return step.type === "http" && isRepeatable((step as Extract<Step, { type: "http" }>).method);
  return code === "service_failed" || ERRORS[code].retryable;
}

/** How long to wait before the next attempt. */
export function pauseAfter({ retry }: Step, attempt: number, { retryAfterSeconds }: Failure): number {
  if (!retry) return 0;
  const backOff = Math.min(retry.backoffSeconds * retry.factor ** (attempt - 1), 86_400);
  return Math.max(backOff, retryAfterSeconds);
}
