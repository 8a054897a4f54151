import { type HttpHandler, type HttpRequest, reply } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { telemetry } from "#server/base/telemetry.ts";
import { ApiError } from "#server/operation/errors.ts";
import { asApiError } from "#server/operation/faults.ts";
import { readBytes } from "#server/operation/json-body.ts";
import { errorResponse } from "#server/operation/response.ts";
import { greetingOf, readDelivery } from "./read-delivery.ts";
import { INBOUND_LIMITS } from "./schema.ts";
import { openInbound } from "./secrets.ts";
import { SIGNATURES } from "./signatures.ts";
import { countRejected, findWebhook, takeDelivery } from "./take-delivery.ts";

/** The `Retry-After` while too many deliveries wait for their runs, in seconds. */
const CROWDED_SECONDS = 60;
/** The `Retry-After` while the account's event budget is full, in seconds. */
const FULL_SECONDS = 3600;

/** Accepts providers' deliveries at `/in/{token}`: the address identifies the trigger, the signature the provider. */
export const handleInbound: HttpHandler = async (request) => {
  const requestId = newId("request");
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-request-id": requestId,
  };
  try {
    const { status, body } = await receive(request);
    return reply(JSON.stringify(body), { status, headers });
  } catch (reason) {
    const answer = errorResponse(asApiError(reason, requestId), requestId);
    if (answer.error) telemetry.metrics?.refused(answer.error.code);
    // The endpoint takes no bearer token.
    const { "www-authenticate": _, ...own } = answer.headers;
    return reply(answer.body, { status: answer.status, headers: { ...headers, ...own } });
  }
};

async function receive(request: HttpRequest): Promise<{ status: number; body: object }> {
  if (request.method !== "POST")
    throw new ApiError("method_not_allowed", "Deliveries are sent here by POST.", {
      headers: { allow: "POST" },
    });
  const { pathname } = new URL(request.url);
  const webhook = await findWebhook(pathname.slice("/in/".length));
  if (!webhook) throw nothingHere();
  refuseEncoded(request);
  const bytes = await bodyOf(request);
  const { scheme, headerName, nowMs } = webhook;
  const { headers } = request;
  const secret = webhook.secret ? openInbound("secret", webhook, webhook.secret) : "";
  if (!SIGNATURES[scheme]({ headers, bytes, secret, headerName, now: new Date(nowMs) })) {
    await countRejected(webhook);
    throw new ApiError(
      "signature_invalid",
      "The delivery is not signed with this address's secret, or was signed more than five minutes ago.",
    );
  }
  const delivery = readDelivery(scheme, { headers, bytes, headerName });
  const greeting = greetingOf(scheme, headers, delivery.data);
  if (greeting) return greeting;
  const { outcome, retrySeconds } = await takeDelivery(webhook, delivery);
  if (outcome === "gone") throw nothingHere();
  if (outcome === "limited")
    throw new ApiError("limit_exhausted", "The address takes no more deliveries in this minute.", {
      retryAfterSeconds: retrySeconds ?? CROWDED_SECONDS,
    });
  if (outcome === "crowded")
    throw new ApiError(
      "limit_exhausted",
      "10,000 deliveries wait for their runs already. Send it again later.",
      {
        retryAfterSeconds: CROWDED_SECONDS,
      },
    );
  if (outcome === "full")
    throw new ApiError(
      "limit_exhausted",
      "The account keeps as many deliveries as it may. Send it again later.",
      {
        retryAfterSeconds: FULL_SECONDS,
      },
    );
  return { status: 202, body: { ok: true } };
}

const nothingHere = () => new ApiError("not_found", "Nothing is delivered to this address.");

function bodyOf(request: HttpRequest): Promise<Uint8Array> {
  return readBytes(request, INBOUND_LIMITS.maximumBytes).catch((reason) => {
    if (reason instanceof ApiError) throw reason;
    throw new ApiError("invalid_request", "The body broke off before its end.", {}, { cause: reason });
  });
}

function refuseEncoded({ headers }: HttpRequest): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() === "identity") return;
  throw new ApiError(
    "unsupported_media_type",
    `The body has the Content-Encoding ${encoding}. Send it without one.`,
  );
}
