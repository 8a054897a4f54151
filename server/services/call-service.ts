import type { z } from "zod";
import { currentMs } from "#server/base/clock.ts";
import { log, redact } from "#server/base/log.ts";
import { outboundFailure } from "#server/connections/outbound-failure.ts";
import { useConnection } from "#server/connections/use-connection.ts";
import { ApiError, type ErrorCode } from "#server/operation/errors.ts";
import { issuesOf } from "#server/operation/input.ts";
import { parseAnswered } from "#server/operation/json-text.ts";
import { storable } from "#server/operation/storable.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import { type SafeAnswer, safeFetch } from "#server/providers/http/safe-fetch.ts";
import type { Circuit } from "./circuit.ts";
import type { OperatorService, ServiceOperation } from "./manifest.ts";
import type { OutsideCall, OutsideOutcome } from "./service.ts";
import { signCall } from "./sign-call.ts";

const MAX_ANSWER_BYTES = 5 * 1024 * 1024;

/** An operation of an operator's service. */
export interface Target {
  service: OperatorService;
  operation: ServiceOperation;
  /** The schema of the response. */
  output: z.ZodType;
  circuit: Circuit;
}

/** Returns the operation's address: its path appended to the service's address. */
export function addressOf({ service, operation }: Pick<Target, "service" | "operation">): URL {
  return new URL(`${service.baseUrl.replace(/\/+$/, "")}${operation.path}`);
}

/** Calls an operator's service with a signed request, and evaluates the response. */
export async function callService(target: Target, call: OutsideCall): Promise<OutsideOutcome> {
  const { service, circuit } = target;
  const entered = circuit.enter();
  if (typeof entered === "number")
    return failed(
      "service_unavailable",
      `Service ${service.id} has failed several times in a row and gets a rest. Nothing was sent.`,
      { retryAfterSeconds: entered },
    );
  let broken = true;
  try {
    const { answer, text } = await send(target, call);
    // 503 does not count as a failure: the service itself says when to retry.
    broken = answer.status >= 500 && answer.status !== 503;
    if (answer.status >= 500) logFault(target, call, answer, text);
    return judge(target, answer, text);
  } catch (error) {
    const lost = error instanceof ApiError ? error.cause : error;
    if (lost instanceof OutboundError) {
      // A caller who disconnected says nothing about the service.
      broken = lost.reason !== "aborted";
      return unanswered(service, lost);
    }
    // The connection refused the use before anything was sent, so the service is not at fault.
    broken = false;
    if (!(error instanceof ApiError)) throw error;
    return { outcome: error.operationState === "not_started" ? "failed" : "unknown", error };
  } finally {
    entered(broken);
  }
}

async function send(target: Target, call: OutsideCall): Promise<{ answer: SafeAnswer; text: string }> {
  const { service, operation } = target;
  const { input, caller, requestId, idempotencyKey, connectionId } = call;
  const url = addressOf(target);
  const context = {
    accountId: caller.accountId,
    projectId: caller.project?.id ?? null,
    endUser: caller.endUser?.externalId ?? null,
    requestId,
  };
  const body = JSON.stringify({ operationId: operation.id, input, context });
  const request = (credential: Record<string, string>) =>
    safeFetch(url, {
      method: "POST",
      headers: {
        ...credential,
        "content-type": "application/json",
        accept: "application/json",
        "x-request-id": requestId,
        "idempotency-key": idempotencyKey,
        ...signCall(service.signingSecret, { id: idempotencyKey, body }),
      },
      body,
      timeoutMs: service.timeoutMs,
      maximumBytes: MAX_ANSWER_BYTES,
      // The operator chose the address, so it need not be public.
      trusted: true,
      ...(call.signal && { signal: call.signal }),
    });
  const answer =
    connectionId === null ? await request({}) : await lent({ ...call, connectionId }, url, request);
  return { answer, text: await answer.text() };
}

/** Logs the service's own error text for the operator. */
function logFault({ service, operation }: Target, call: OutsideCall, answer: SafeAnswer, text: string): void {
  log.error("An operator's service failed.", {
    serviceId: service.id,
    operationId: operation.id,
    status: answer.status,
    requestId: call.requestId,
    upstreamRequestId: answer.headers["x-request-id"]?.slice(0, 200),
    body: redact(storable(text, 2000)),
  });
}

/** Sends with the connection's credential, if the connection is for the service's host. */
async function lent(
  { caller, connectionId, requestId }: OutsideCall & { connectionId: string },
  url: URL,
  request: (credential: Record<string, string>) => Promise<SafeAnswer>,
): Promise<SafeAnswer> {
  const { lend } = await useConnection({ caller, connectionId, requestId, purpose: "service" });
  return lend(url, request);
}

function failed(code: ErrorCode, message: string, details: ApiError["details"] = {}): OutsideOutcome {
  return {
    outcome: "failed",
    error: new ApiError(code, message, { operationState: "not_started", ...details }),
  };
}

/** Returns the outcome without a complete response: `unknown` if the service may have received the request. */
function unanswered(service: OperatorService, error: OutboundError): OutsideOutcome {
  const failure = outboundFailure(error, `Service ${service.id}`);
  if (error.reason === "too_large") return { outcome: "failed", error: failure };
  return { outcome: error.maybeSent ? "unknown" : "failed", error: failure };
}

function judge({ service, operation, output }: Target, answer: SafeAnswer, text: string): OutsideOutcome {
  const named = answer.headers["x-request-id"] ?? "";
  const upstreamRequestId = /^[\x21-\x7e]{1,200}$/.test(named) ? named : null;
  const headers: Record<string, string> =
    upstreamRequestId === null ? {} : { "x-service-upstream-request-id": upstreamRequestId };
  const { status } = answer;
  // A service's text about its own faults is for the operator only: it may name files, hosts and other customers.
  const failure = `Service ${service.id} answered ${status}${status < 500 ? wordsOf(text) : ""}.`;
  if (status === 429 || status === 503) {
    const code = status === 429 ? "service_rate_limited" : "service_unavailable";
    return failed(code, failure, { headers, ...retryAfter(answer.headers["retry-after"]) });
  }
  if (status >= 500) return failed("service_failed", failure, { headers, operationState: "unknown" });
  if (status < 200 || status >= 300) return failed("service_failed", failure, { headers });

  // The service has acted; only its response is unusable.
  const wrong = (fault: string) =>
    failed("service_failed", `Service ${service.id} ${fault}. Nothing was charged.`, {
      headers,
      operationState: "unknown",
    });
  const result = parsed(text);
  if (result === undefined) return wrong("answered no JSON that is nested at most 64 levels deep");
  // Schemas check JavaScript's numbers; the customer gets the numbers as the service wrote them.
  const checked = output.safeParse(text === "" ? null : JSON.parse(text));
  if (!checked.success) {
    const [issue] = issuesOf(checked.error, "result");
    return wrong(`answered against its outputSchema (${issue?.path}: ${issue?.message.replace(/\.$/, "")})`);
  }
  const { credits, maximum, unit } = operation.price;
  const reported = answer.headers["x-service-credits-charged"];
  const charged =
    reported === undefined ? credits : /^-?\d{1,15}$/.test(reported.trim()) ? Number(reported) : null;
  if (charged === null) return wrong("reported a charge that is no whole number");
  if (charged < 0) return wrong(`reported a charge of ${charged} credits`);
  if (charged > maximum)
    return wrong(`reported a charge of ${charged} credits, above its maximum of ${maximum}`);
  if (unit === "call" && charged !== credits)
    return wrong(`reported a charge of ${charged} credits for a call that costs exactly ${credits}`);
  return { outcome: "done", status, result, credits: charged, upstreamRequestId };
}

const parsed = (text: string) => (text === "" ? null : parseAnswered(text));

/** Returns the message of the service's own error, as far as it can be shown. */
function wordsOf(text: string): string {
  const body = parsed(text);
  const said = messageIn(body) ?? messageIn((body as { error?: unknown } | null)?.error) ?? "";
  const shown = redact(storable(said, 300))
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  return shown === "" ? "" : `: ${shown.replace(/\.$/, "")}`;
}

function messageIn(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("message" in value)) return null;
  return typeof value.message === "string" ? value.message : null;
}

/** Returns how long the service asks to wait, from seconds or a date; at most a day. */
function retryAfter(value: string | undefined): { retryAfterSeconds?: number } {
  if (value === undefined) return {};
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - currentMs()) / 1000);
  return Number.isFinite(seconds) ? { retryAfterSeconds: Math.min(Math.max(seconds, 1), 86_400) } : {};
}
