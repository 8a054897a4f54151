import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import {
  fromFetchResponse,
  type HttpHandler,
  type HttpRequest,
  toFetchRequest,
} from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { cookieOf, readSessionToken, sessionCookie } from "#server/members/session-token.ts";
import { isWrittenNumber } from "#server/operation/exact-numbers.ts";
import { MESSAGE_DEPTH, parseBody, readBytes, refuseOtherTypes } from "#server/operation/json-body.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import type { Operation } from "#server/operation/operation.ts";
import { operations } from "#server/operations.ts";
import { createConsoleRouter } from "./console-router.ts";
import type { ConsoleContext } from "./procedures.ts";
import { asPlatformError } from "./trpc-errors.ts";

const ENDPOINT = "/api/trpc";
const MAX_BATCH = 20;

/** Builds the handler of the console's calls over these operations. */
export function createTrpcHandler(operations: readonly Operation[]): HttpHandler {
  const router = createConsoleRouter(operations);

  return async (request) => {
    const requestId = newId("request");
    const body = await bodyOf(request).catch((reason: unknown) => ({ reason }));
    const faulty = "reason" in body;
    const response = await fetchRequestHandler({
      endpoint: ENDPOINT,
      req: requestOf(request, faulty ? undefined : body.bytes),
      router,
      maxBatchSize: MAX_BATCH,
      createContext() {
        if (faulty) throw body.reason;
        return contextOf(request, requestId);
      },
      responseMeta({ ctx, errors: [error], info }) {
        const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId });
        for (const cookie of ctx?.cookies ?? []) headers.append("set-cookie", cookie);
        if (!error || info?.isBatchCall) return { headers };
        return { status: asPlatformError(error, requestId).status, headers };
      },
    });
    return fromFetchResponse(response);
  };
}

/** `/api/trpc`. */
export const handleTrpc = createTrpcHandler(operations);

async function bodyOf(request: HttpRequest): Promise<{ bytes: Uint8Array | undefined }> {
  if (request.method !== "POST") return { bytes: undefined };
  const bytes = await readBytes(request);
  // tRPC would also accept forms and raw bytes, which no procedure takes.
  if (bytes.length > 0) refuseOtherTypes(request.headers);
  return { bytes };
}

function requestOf(received: HttpRequest, body: Uint8Array | undefined): Request {
  const request = toFetchRequest(received, { url: withExactInput(received.url), body });
  // tRPC reads the body by this function. Operations judge numbers as written, also from the console.
  request.json = async () => parseBody(body ?? new Uint8Array(), MESSAGE_DEPTH);
  return request;
}

/** tRPC parses the input of queries itself: the operation gets the text of a number that a double cannot hold. */
function withExactInput(address: string): string {
  const url = new URL(address);
  const input = url.searchParams.get("input");
  if (input === null) return address;
  try {
    const asText = (_: string, value: unknown) => (isWrittenNumber(value) ? value.rawJSON : value);
    url.searchParams.set("input", JSON.stringify(parseKeepingDigits(input), asText));
    return url.href;
  } catch {
    // Text that is not JSON, or too deep to be serialised again, is refused here.
    return address;
  }
}

async function contextOf(request: HttpRequest, requestId: string): Promise<ConsoleContext> {
  const { headers } = request;
  const idempotencyKey = headers["idempotency-key"];
  return {
    requestId,
    session: await readSessionToken(cookieOf(headers.cookie ?? null, sessionCookie())),
    origin: headers.origin ?? null,
    idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
    project: headers["x-service-project"] ?? null,
    ip: request.remoteAddress,
    userAgent: headers["user-agent"] ?? null,
    cookies: [],
  };
}
