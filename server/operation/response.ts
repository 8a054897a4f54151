import { platform } from "#server/platform.ts";
import type { Call } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import { ApiError, errorBody } from "./errors.ts";
import type { Operation } from "./operation.ts";
import type { SerializedResult } from "./serialized-result.ts";

/** The characters of a response that is not sent over HTTP as it is. */
const MAXIMUM_PARSED = 4 * 1_048_576;

/** Returns the success envelope as JSON; throws if the output does not match the operation's schema. */
export function successBody(operation: Operation, result: Record<string, unknown>): string {
  return JSON.stringify({ ok: true, ...checked(operation, result) });
}

function checked(operation: Operation, result: Record<string, unknown>): Record<string, unknown> {
  const { success, data, error } = operation.output.safeParse(result);
  if (success) return data;
  throw new Error(`${operation.operationId} answered against its schema: ${error.message}`);
}

/** Returns the response with a list that is already serialised; over HTTP, a long one is streamed. */
export async function serializedResponse(
  { operation, transport }: Pick<Call, "operation" | "transport">,
  { field, json, output }: SerializedResult,
  response: CallResponse,
): Promise<CallResponse> {
  const { [field]: _, ...rest } = checked(operation, output);
  const start = `${JSON.stringify({ ok: true, ...rest }).slice(0, -1)},"${field}":`;
  if (typeof json === "string") return { ...response, body: `${start}${json}}` };
  if (transport !== "api") return { ...response, body: `${start}${await joined(json)}}` };
  const headers = { ...response.headers, "content-type": "application/json" };
  return { ...response, headers, bytes: streamOf(encoded(start, json)) };
}

/** Other transports parse a response as a whole, which takes the time of everybody's calls. */
async function joined(parts: AsyncIterable<string>): Promise<string> {
  let whole = "";
  for await (const part of parts) {
    whole += part;
    if (whole.length > MAXIMUM_PARSED)
      throw new ApiError(
        "query_limit_exceeded",
        `The answer has more than ${MAXIMUM_PARSED} characters, which only the HTTP API carries. Ask for less at a time.`,
      );
  }
  return whole;
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void chunks.return(undefined),
  });
}

async function* encoded(start: string, parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start);
  for await (const part of parts) yield Buffer.from(part);
  yield Buffer.from("}");
}

/** Returns the response for an error. */
export function errorResponse(error: ApiError, requestId: string): CallResponse {
  const { retryAfterSeconds, headers, fields } = error.details;
  return {
    status: error.status,
    headers: {
      ...headers,
      ...(error.status === 401 && { "www-authenticate": "Bearer" }),
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    },
    body: JSON.stringify({
      ok: false,
      error: errorBody(error, requestId, platform().settings.baseUrl),
      ...fields,
    }),
    error,
  };
}

/**
 * Returns the credits charged by this call: a replay charges nothing, though its header repeats the first
 * charge.
 */
export function chargeOf({ headers }: CallResponse): number {
  return headers["idempotent-replayed"] ? 0 : Number(headers["x-service-credits-charged"] ?? 0);
}
