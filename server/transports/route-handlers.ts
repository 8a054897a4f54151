import { AsyncLocalStorage } from "node:async_hooks";
import { defined } from "#server/base/defined.ts";
import { type HttpHandler, type HttpRequest, toFetchResponse } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { processWide } from "#server/base/process-wide.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { RoutePath } from "#server/routes.ts";

/** A request that the Next.js server received, with the parts that Next.js withholds from route handlers. */
export interface ReceivedRequest extends Pick<HttpRequest, "rawHeaders" | "remoteAddress"> {
  /** The platform's handlers as Node loaded them: bundled copies would not recognise each other's errors. */
  handlers: Record<RoutePath, HttpHandler>;
  /** Closes the connection at once. */
  cut(): void;
  /** Aborted when the Next.js server stops, since it would otherwise wait for streams. */
  stopping?: AbortSignal;
}

const holder = processWide<AsyncLocalStorage<ReceivedRequest>>("received");
holder.state ??= new AsyncLocalStorage();

/** The request that Next.js is serving. */
export const received: AsyncLocalStorage<ReceivedRequest> = holder.state;

/** Returns the exports of a Next.js route file: the platform's handler for these paths, under every method. */
export function routeHandlers(path: RoutePath) {
  async function handle(request: Request): Promise<Response> {
    const from = received.getStore();
    return from ? toFetchResponse(await from.handlers[path](requestOf(request, from))) : refuseEarly();
  }
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}

/**
 * Returns the request at the platform's own address, with all its headers: Next.js trusts `Host` and drops repeated
 * headers.
 */
function requestOf(
  request: Request,
  { rawHeaders, remoteAddress, cut, stopping }: ReceivedRequest,
): HttpRequest {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(defined(rawHeaders[index]), defined(rawHeaders[index + 1]));
  return {
    method: request.method,
    url: platform().settings.baseUrl + pathname + search,
    headers: Object.fromEntries(headers),
    rawHeaders,
    remoteAddress,
    cut,
    signal: stopping ? AbortSignal.any([request.signal, stopping]) : request.signal,
    readBody: async () => new Uint8Array(await request.arrayBuffer()),
    streamBody: () => request.body,
  };
}

/** Next.js listens before the platform has started, and holds requests until then. */
function refuseEarly(): Response {
  const requestId = newId("request");
  const fault = new ApiError("service_unavailable", "The platform was starting. Send the request again.");
  const error = errorBody(fault, requestId, platform().settings.baseUrl);
  return Response.json(
    { ok: false, error },
    { status: error.status, headers: { "x-request-id": requestId } },
  );
}
