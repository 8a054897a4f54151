import { platform } from "#server/platform.ts";
import type { CallResponse } from "./call.ts";
import { type ApiError, errorBody } from "./errors.ts";
import type { Operation } from "./operation.ts";

/**
 * A handler's output with one list already serialised as JSON, since it is too long to parse and serialise
 * again.
 */
export class SerializedResult {
  readonly field: string;
  readonly json: string;
  /** The output with that list empty; it is validated like any other. */
  readonly output: Record<string, unknown>;

  constructor(field: string, json: string, output: Record<string, unknown>) {
    this.field = field;
    this.json = json;
    this.output = { ...output, [field]: [] };
  }
}

/** Returns the success envelope as JSON; throws if the output does not match the operation's schema. */
export function successBody(
  operation: Operation,
  result: Record<string, unknown> | SerializedResult,
): string {
  const serialized = result instanceof SerializedResult ? result : null;
  const checked = operation.output.safeParse(serialized?.output ?? result);
  if (!checked.success)
    throw new Error(`${operation.operationId} answered against its schema: ${checked.error.message}`);
  if (!serialized) return JSON.stringify({ ok: true, ...checked.data });
  const { [serialized.field]: _, ...rest } = checked.data;
  return `${JSON.stringify({ ok: true, ...rest }).slice(0, -1)},"${serialized.field}":${serialized.json}}`;
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
