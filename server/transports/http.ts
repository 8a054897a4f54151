import { etagOf, isFresh } from "#server/base/etag.ts";
import { type HttpHandler, type HttpRequest, type HttpResponse, reply } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { telemetry } from "#server/base/telemetry.ts";
import type { Call } from "#server/operation/call.ts";
import type { CallResponse } from "#server/operation/call-response.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { execute } from "#server/operation/execute.ts";
import { asApiError } from "#server/operation/faults.ts";
import { readJsonBody } from "#server/operation/json-body.ts";
import { lifecycleHeaders } from "#server/operation/lifecycle.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorResponse } from "#server/operation/response.ts";
import { apiOperations } from "#server/operations.ts";
import { platform } from "#server/platform.ts";
import { openApiDocument } from "./openapi/document.ts";
import { bytesOf, queryOf, refuseCredentialInUrl, type Sender, senderOf } from "./request.ts";
import { respond } from "./respond.ts";
import { createRouter, type Route } from "./router.ts";

const PUBLIC_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "X-Request-Id" };
/** Readable from any web page. */
const ALIVE = JSON.stringify({ ok: true, status: "ok", apiVersion: "v1" });
const OPEN_PATHS = new Set(["/pricing", "/health", "/health/live", "/openapi.json"]);

/** The path prefix under which operations are served, and how their caller is authenticated. */
export interface HttpMount {
  /** The path before an operation's own path. */
  prefix: string;
  transport: Call["transport"];
  sender(request: HttpRequest, operation: Operation): Promise<Sender>;
  /** True if any web page may read responses (CORS); only for addresses that are themselves the credential. */
  open?: boolean;
}

const api: HttpMount = {
  prefix: "/v1",
  transport: "api",
  sender: async (request, operation) => senderOf(request, operation),
};

/**
 * Returns the handler of `/v1` (with `/health` and `/openapi.json` at the root), or of another mount, over these
 * operations.
 */
export function createHttpHandler(
  operations: readonly Operation[],
  mount: Partial<HttpMount> = {},
): HttpHandler {
  const { prefix, transport, sender, open: allOpen = false } = { ...api, ...mount };
  const route = createRouter(operations);
  const openApi = createOpenApi(operations);

  return async function handle(request) {
    const requestId = newId("request");
    const url = new URL(request.url);
    const path =
      url.pathname.startsWith(`${prefix}/`) || url.pathname === prefix
        ? url.pathname.slice(prefix.length)
        : url.pathname;
    const open = allOpen || OPEN_PATHS.has(path) ? PUBLIC_ORIGIN : undefined;
    let answer: CallResponse;
    let operation: Operation | undefined;
    try {
      refuseCredentialInUrl(url);
      if (open && request.method === "OPTIONS") return preflight(requestId);
      // Answers from the process alone: restarting it would not repair a failing component.
      if (path === "/health/live" && (request.method === "GET" || request.method === "HEAD"))
        return respond(request, { status: 200, headers: {}, body: ALIVE, error: null }, requestId, open);
      if (path === "/openapi.json" && (request.method === "GET" || request.method === "HEAD"))
        return openApiResponse(request, requestId, openApi());
      const target = matched(
        path === "/openapi.json" ? { found: "path", allow: ["GET"] } : route(request.method, path),
        request.method,
        path,
      );
      operation = target.operation;
      const from = await sender(request, operation);
      answer = await execute(
        callOf(request, url, { ...from, transport, requestId, operation, params: target.params }),
      );
    } catch (reason) {
      answer = errorResponse(asApiError(reason, requestId), requestId);
      if (!operation && answer.error) telemetry.metrics?.refused(answer.error.code);
      if (operation) Object.assign(answer.headers, lifecycleHeaders(operation));
    }
    return respond(request, answer, requestId, open);
  };
}

/** `/v1`, `/health`, `/openapi.json`. */
export const handleV1 = createHttpHandler(apiOperations);

function matched(found: Route, method: string, path: string) {
  if (found.found === "nothing") throw new ApiError("not_found", `No path ${path} in this API.`);
  if (found.found === "path") {
    throw new ApiError("method_not_allowed", `${path} has no ${method}. It has ${found.allow.join(", ")}.`, {
      headers: { allow: found.allow.join(", ") },
    });
  }
  return found;
}

function callOf(
  request: HttpRequest,
  url: URL,
  call: Sender & Pick<Call, "operation" | "transport" | "requestId" | "params">,
): Call {
  const { operation } = call;
  let body: Promise<unknown> | undefined;
  return {
    ...call,
    readQuery: () => queryOf(url),
    readBody: () => {
      if (operation.raw) return Promise.resolve(undefined);
      body ??=
        request.method === "GET" || request.method === "HEAD" ? noBody(request) : readJsonBody(request);
      return body;
    },
    ...bytesOf(request, operation),
  };
}

/** Refuses a body on an operation that takes none, so that no caller believes it was read. */
async function noBody({ method, headers }: HttpRequest): Promise<undefined> {
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)
    throw invalid("body", `A ${method} takes no body. Send it without one.`);
}

function preflight(requestId: string): HttpResponse {
  return reply(null, {
    status: 204,
    headers: {
      ...PUBLIC_ORIGIN,
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "Last-Event-ID, Cache-Control",
      "x-request-id": requestId,
    },
  });
}

function openApiResponse(request: HttpRequest, requestId: string, { json, etag }: Served): HttpResponse {
  const headers = { etag, "cache-control": "no-cache", "x-request-id": requestId, ...PUBLIC_ORIGIN };
  if (isFresh(request.headers["if-none-match"] ?? null, etag)) return reply(null, { status: 304, headers });
  return reply(request.method === "HEAD" ? null : json, {
    headers: { ...headers, "content-type": "application/json" },
  });
}

interface Served {
  json: string;
  etag: string;
}

/** Returns a function that serves the document; it is built at the first request. */
function createOpenApi(operations: readonly Operation[]): () => Served {
  let served: Served | undefined;
  return () => {
    if (!served) {
      const { baseUrl, apiOrigin } = platform().settings;
      const json = JSON.stringify(openApiDocument(operations, baseUrl, apiOrigin));
      served = { json, etag: etagOf(json) };
    }
    return served;
  };
}
