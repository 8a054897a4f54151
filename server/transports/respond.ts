import { type HttpRequest, type HttpResponse, reply } from "#server/base/http-message.ts";
import type { CallResponse } from "#server/operation/call-response.ts";
import { challengeFor } from "#server/operation/challenge.ts";

/** Converts the pipeline's response to HTTP; errors in the format that `Accept` prefers. */
export function respond(
  { method, url, headers: sent }: HttpRequest,
  answer: CallResponse,
  requestId: string,
  extra?: Record<string, string>,
): HttpResponse {
  const { bytes } = answer;
  const challenged = answer.status === 401 && answer.headers["www-authenticate"] !== undefined;
  const challenge = challenged && {
    "www-authenticate": challengeFor(url, sent.authorization !== undefined),
  };
  const common = {
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...extra,
    ...answer.headers,
    ...challenge,
  };
  if (bytes !== undefined) return reply(bytes, { status: answer.status, headers: common });
  const problem = answer.error && sent.accept?.includes("application/problem+json");
  const headers = {
    "content-type": problem ? "application/problem+json" : "application/json",
    ...common,
  };
  const body = problem ? problemOf(answer.body) : answer.body;
  return reply(method === "HEAD" ? null : body, { status: answer.status, headers });
}

/** Converts the error envelope to problem details (RFC 9457). */
function problemOf(envelope: string): string {
  const { ok: _ok, error, ...beside } = JSON.parse(envelope);
  const { docUrl, code, message, status, requestId, ...rest } = error;
  return JSON.stringify({
    type: docUrl,
    title: code,
    status,
    detail: message,
    instance: `urn:request:${requestId}`,
    code,
    requestId,
    ...rest,
    ...beside,
  });
}
