import type { RawRequest } from "#server/boot/door.ts";
import { newId } from "#server/ids.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { type Answer, type Call, type Credential, execute, failure } from "#server/operation/execute.ts";
import { asApiError } from "#server/operation/faults.ts";
import { invalidRequest, SECRET } from "#server/operation/input.ts";
import { readJsonBody } from "#server/operation/json-body.ts";
import type { Operation } from "#server/operation/operation.ts";
import { apiOperations } from "#server/operations.ts";
import { reply } from "#server/reply.ts";
import { openApiJson } from "./openapi.ts";
import { createRouter, type Route } from "./router.ts";

const PUBLIC_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "X-Request-Id" };
/** Readable from any web page (WIRE.md, "Conventions"). */
const OPEN_PATHS = new Set(["/pricing", "/health", "/openapi.json"]);
const MAX_NAME = 200;

/** Builds the handler of `/v1` (and of the root twins `/health` and `/openapi.json`) over these operations. */
export function createHttpHandler(operations: readonly Operation[]) {
  const route = createRouter(operations);

  return async function handle(request: Request, raw: RawRequest): Promise<Response> {
    const requestId = newId("request");
    const url = new URL(request.url);
    const path =
      url.pathname.startsWith("/v1/") || url.pathname === "/v1" ? url.pathname.slice(3) : url.pathname;
    const open = OPEN_PATHS.has(path) ? PUBLIC_ORIGIN : undefined;
    let answer: Answer;
    try {
      refuseCredentialInUrl(url);
      if (open && request.method === "OPTIONS") return preflight(requestId);
      if (path === "/openapi.json" && (request.method === "GET" || request.method === "HEAD"))
        return openApiResponse(requestId);
      const target = matched(
        path === "/openapi.json" ? { found: "path", allow: ["GET"] } : route(request.method, path),
        request.method,
        path,
      );
      answer = await execute(callOf(request, raw, url, requestId, target.operation, target.params));
    } catch (reason) {
      answer = failure(asApiError(reason, requestId), requestId);
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

function refuseCredentialInUrl(url: URL): void {
  if (url.username || url.password || SECRET.test(url.pathname) || SECRET.test(url.search)) {
    throw new ApiError(
      "credential_in_url",
      "The URL contains a secret, and logs keep URLs. Revoke it, and send it in the Authorization header.",
    );
  }
}

function callOf(
  request: Request,
  raw: RawRequest,
  url: URL,
  requestId: string,
  operation: Operation,
  params: Record<string, string>,
): Call {
  const { headers } = request;
  let body: Promise<unknown> | undefined;
  return {
    operation,
    requestId,
    params,
    credential: credentialOf(headers, raw, operation),
    readQuery: () => queryOf(url),
    readBody: () => {
      body ??=
        request.method === "GET" || request.method === "HEAD"
          ? Promise.resolve(undefined)
          : readJsonBody(request);
      return body;
    },
    contentType: headers.get("content-type"),
    project: headers.get("x-service-project"),
    endUser: endUserOf(headers),
    idempotencyKeys: valuesOf(raw, "idempotency-key"),
    ip: raw.remoteAddress,
    userAgent: headers.get("user-agent"),
    signal: request.signal,
  };
}

function valuesOf(raw: RawRequest, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    if (raw.rawHeaders[index]?.toLowerCase() === name) values.push(raw.rawHeaders[index + 1] ?? "");
  }
  return values;
}

function credentialOf(headers: Headers, raw: RawRequest, operation: Operation): Credential {
  if (operation.scope === null) return { type: "none" };
  const authorizations = valuesOf(raw, "authorization");
  if (authorizations.length > 1) throw invalid("header.authorization", "Sent more than once. Send it once.");
  const creditToken = operation.id === "apiKeys.create" ? headers.get("x-service-credit-token") : null;
  if (creditToken !== null && authorizations.length > 0) {
    throw invalid("header.x-service-credit-token", "Sent together with Authorization. Send one of the two.");
  }
  if (creditToken !== null) return { type: "creditToken", secret: creditToken };
  const bearer = /^Bearer +([^ ]+) *$/i.exec(authorizations[0] ?? "");
  return bearer ? { type: "key", secret: bearer[1] as string } : { type: "none" };
}

function endUserOf(headers: Headers): string | null {
  const value = headers.get("x-service-end-user");
  if (value === null) return null;
  // Header values arrive as Latin-1; the text in them is UTF-8.
  const text = Buffer.from(value, "latin1").toString("utf8");
  if (text === "" || text.length > MAX_NAME)
    throw invalid("header.x-service-end-user", `Has ${text.length} characters. Send 1 to ${MAX_NAME}.`);
  return text;
}

function queryOf(url: URL): Record<string, string> {
  const fields: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(fields, name)) repeated.push(name);
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  }
  if (repeated.length > 0)
    throw invalidRequest(
      repeated.map((name) => ({ path: `query.${name}`, message: "Sent more than once." })),
    );
  return fields;
}

function respond(
  request: Request,
  answer: Answer,
  requestId: string,
  open: Record<string, string> | undefined,
): Response {
  const problem = answer.error && request.headers.get("accept")?.includes("application/problem+json");
  const headers = {
    "content-type": problem ? "application/problem+json" : "application/json",
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...open,
    ...answer.headers,
  };
  const body = problem ? problemOf(answer.body) : answer.body;
  return reply(request.method === "HEAD" ? null : body, { status: answer.status, headers });
}

/** The error envelope as RFC 9457. */
function problemOf(envelope: string): string {
  const { error } = JSON.parse(envelope);
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
  });
}

function preflight(requestId: string): Response {
  return reply(null, {
    status: 204,
    headers: { ...PUBLIC_ORIGIN, "access-control-allow-methods": "GET", "x-request-id": requestId },
  });
}

function openApiResponse(requestId: string): Response {
  return reply(openApiJson(), {
    headers: { "content-type": "application/json", "x-request-id": requestId, ...PUBLIC_ORIGIN },
  });
}
