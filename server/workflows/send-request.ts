import { createHash } from "node:crypto";
import { newId } from "#server/base/ids.ts";
import { outboundFailure } from "#server/connections/outbound-failure.ts";
import { useConnection as connect } from "#server/connections/use-connection.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { parseAnswered } from "#server/operation/json-text.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import type { Effect } from "#server/runs/run-context.ts";
import type { Step } from "./schema.ts";

const MAXIMUM_BYTES = 1_048_576;
const LONGEST_MS = 3_600_000;

type Method = Extract<Step, { type: "http" }>["method"];

/** A request of a workflow's step, with expressions evaluated. */
export interface OutgoingRequest {
  connectionId: string;
  method: Method;
  url: string;
  headers?: Record<string, string> | undefined;
  body?: unknown;
}

type Sending = Pick<Effect, "idempotencyKey" | "signal" | "sending">;

/** The peer's response, as later expressions see it. */
export interface IncomingAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed if it is JSON, else text; null if empty. */
  body: unknown;
}

/** True if sending the request again changes nothing more. */
export function isRepeatable(method: Method): boolean {
  return ["GET", "HEAD", "PUT", "DELETE"].includes(method);
}

/** Sends the request with the connection's credential, and an idempotency key that every attempt shares. */
export async function sendRequest(
  caller: Caller,
  { connectionId, method, url, headers = {}, body }: OutgoingRequest,
  { idempotencyKey, signal, sending }: Sending,
): Promise<IncomingAnswer> {
  const connection = await connect({
    caller,
    connectionId,
    requestId: newId("request"),
    purpose: "workflow",
    sending,
  });
  const own = headersOf(headers);
  if (!own.has("idempotency-key")) own.set("idempotency-key", hashed(idempotencyKey));
  if (body !== undefined && !own.has("content-type"))
    own.set("content-type", typeof body === "string" ? "text/plain; charset=utf-8" : "application/json");
  try {
    const answer = await connection.fetch(url, {
      method,
      signal,
      timeoutMs: LONGEST_MS,
      maximumBytes: MAXIMUM_BYTES,
      headers: Object.fromEntries(own),
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await answer.text().catch((error) => {
      throw unreadable(error, new URL(url).host);
    });
    refuseFailure(answer, url);
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: bodyOf(answer.headers.get("content-type") ?? "", text),
    };
  } catch (reason) {
    throw asUnanswered(reason);
  }
}

/** Sends a request that is answered later: any response but 2xx means that the peer has not accepted it. */
export async function handOver(caller: Caller, request: OutgoingRequest, effect: Sending): Promise<void> {
  const { status } = await sendRequest(caller, request, effect);
  if (status >= 200 && status < 300) return;
  throw new ApiError("service_failed", `${new URL(request.url).host} answered ${status}.`, {
    operationState: "completed",
  });
}

function headersOf(headers: Record<string, string>): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw invalid("headers", "A name or a value is not one that a header can have.");
  }
}

/** Peers accept letters and digits as a key; a step's name has brackets. */
function hashed(idempotencyKey: string): string {
  return createHash("sha256").update(idempotencyKey).digest("hex");
}

function bodyOf(mediaType: string, text: string): unknown {
  if (text === "") return null;
  const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(mediaType);
  const answered = isJson ? parseAnswered(text) : undefined;
  return answered === undefined ? text : answered;
}

/** Statuses of a limiting, unavailable or failing peer: definite responses that another attempt may improve. */
function refuseFailure({ status, headers }: Response, url: string): void {
  if (status !== 429 && status < 500) return;
  const code =
    status === 429 ? "service_rate_limited" : status === 503 ? "service_unavailable" : "service_failed";
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  throw new ApiError(code, `${new URL(url).host} answered ${status}.`, {
    ...(Number.isFinite(seconds) && { retryAfterSeconds: Math.max(0, seconds) }),
    operationState: "completed",
  });
}

/** The peer's response is too large to be stored: sending again would change nothing. */
function unreadable(error: unknown, host: string): ApiError {
  if (!(error instanceof OutboundError) || error.reason !== "too_large") return outboundFailure(error, host);
  const message = `${host}: ${error.message} That is the most that a step can take.`;
  return new ApiError("query_limit_exceeded", message, { operationState: "completed" }, { cause: error });
}

/** The outcome of a request that may have been sent and was not answered is unknown, as `service_timeout` says. */
function asUnanswered(reason: unknown): unknown {
  if (!(reason instanceof ApiError) || reason.operationState !== "unknown") return reason;
  return new ApiError("service_timeout", reason.message, reason.details, { cause: reason });
}
