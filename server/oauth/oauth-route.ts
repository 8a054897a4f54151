import { type HttpHandler, type HttpRequest, type HttpResponse, reply } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { hasOAuth } from "#server/operation/challenge.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { asApiError } from "#server/operation/faults.ts";
import { SECRET } from "#server/operation/storable.ts";
import { platform } from "#server/platform.ts";
import { asOAuthError, OAuthError } from "./oauth-error.ts";

/** The origin of a request, for logs and audit. */
export interface From {
  requestId: string;
  ip: string;
  userAgent: string | null;
}

type RouteHandler = (request: HttpRequest, from: From) => Promise<HttpResponse>;

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Request-Id, WWW-Authenticate, Retry-After",
};

/**
 * Returns the handler of one address, or with `within` of all addresses below it; 404 if apps cannot sign in here.
 */
export function oauthRoute(
  method: "GET" | "POST",
  path: string,
  answer: RouteHandler,
  { within = false }: { within?: boolean } = {},
): HttpHandler {
  return async (request) => {
    const from: From = {
      requestId: newId("request"),
      ip: request.remoteAddress,
      userAgent: request.headers["user-agent"]?.slice(0, 300) ?? null,
    };
    const url = new URL(request.url);
    const headers = { "cache-control": "no-store", "x-request-id": from.requestId, ...CORS };
    const found = hasOAuth(platform().settings.baseUrl) && (within || url.pathname === path);
    try {
      if (!found) throw new ApiError("not_found", `No path ${url.pathname}.`);
      if (request.method === "OPTIONS") return preflight(method, headers);
      if (request.method !== method && !(method === "GET" && request.method === "HEAD"))
        throw new ApiError(
          "method_not_allowed",
          `${url.pathname} has no ${request.method}. It has ${method}.`,
          {
            headers: { allow: method },
          },
        );
      if (SECRET.test(url.href)) throw new OAuthError("invalid_request", "The URL contains a secret.");
      const made = await answer(request, from);
      const body = request.method === "HEAD" ? null : made.body;
      return reply(body, { ...made, headers: { ...headers, ...made.headers } });
    } catch (reason) {
      if (reason instanceof OAuthError) return refusal(reason, headers);
      return failure(asApiError(reason, from.requestId), from.requestId, headers);
    }
  };
}

export function json(body: unknown, options: Partial<Omit<HttpResponse, "body">> = {}): HttpResponse {
  return reply(JSON.stringify(body), {
    ...options,
    headers: { "content-type": "application/json", ...options.headers },
  });
}

function preflight(method: string, headers: Record<string, string>): HttpResponse {
  return reply(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": method,
      "access-control-allow-headers": "MCP-Protocol-Version, Content-Type, Authorization",
      "access-control-max-age": "86400",
    },
  });
}

function refusal(
  { code, status, message, headers }: OAuthError,
  always: Record<string, string>,
): HttpResponse {
  return json({ error: code, error_description: message }, { status, headers: { ...always, ...headers } });
}

function failure(error: ApiError, requestId: string, always: Record<string, string>): HttpResponse {
  if (error.status !== 404 && error.status !== 405) return refusal(asOAuthError(error), always);
  const body = { ok: false, error: errorBody(error, requestId, platform().settings.baseUrl) };
  return json(body, { status: error.status, headers: { ...always, ...error.details.headers } });
}
