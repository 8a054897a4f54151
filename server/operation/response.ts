import { platform } from "#server/platform.ts";
import type { CallResponse } from "./call-response.ts";
import { type ApiError, errorBody } from "./errors.ts";
import type { Operation } from "./operation.ts";
import type { SerializedParts, SerializedResult } from "./serialized-result.ts";

/** Returns the success envelope as JSON; throws if the output does not match the operation's schema. */
export function successBody(operation: Operation, result: Record<string, unknown>): string {
  return JSON.stringify({ ok: true, ...checked(operation, result) });
}

function checked(operation: Operation, result: Record<string, unknown>): Record<string, unknown> {
  const { success, data, error } = operation.output.safeParse(result);
  if (success) return data;
  throw new Error(`${operation.operationId} answered against its schema: ${error.message}`);
}

/** Returns the response with a list that is already serialised. */
export function serializedResponse(
  operation: Operation,
  { field, json, output }: SerializedResult,
  response: CallResponse,
): CallResponse {
  const { [field]: _, ...rest } = checked(operation, output);
  const start = `${JSON.stringify({ ok: true, ...rest }).slice(0, -1)},"${field}":`;
  if (typeof json === "string") return { ...response, body: `${start}${json}}` };
  const headers = { ...response.headers, "content-type": "application/json" };
  return { ...response, headers, bytes: streamOf(start, json) };
}

function streamOf(start: string, { parts, close }: SerializedParts): ReadableStream<Uint8Array> {
  async function* encoded(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    for await (const part of parts) yield Buffer.from(part);
    yield Buffer.from("}");
  }

  const chunks = encoded();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (reason) {
        controller.error(reason);
      }
      await close();
    },
    async cancel() {
      await chunks.return(undefined);
      await close();
    },
  });
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
