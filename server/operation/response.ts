import { platform } from "#server/platform.ts";
import type { CallResponse } from "./call.ts";
import { type ApiError, errorBody } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** A handler's output with a list that is JSON already, too long to be parsed and written once more. */
export class SerializedResult {
  readonly field: string;
  readonly json: string;
  /** The output with the list left empty; it is checked as any other. */
  readonly output: Record<string, unknown>;

  constructor(field: string, json: string, output: Record<string, unknown>) {
    this.field = field;
    this.json = json;
    this.output = { ...output, [field]: [] };
  }
}

/** The envelope of a success as JSON; fails where the output is not what the operation declares. */
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

/** The response that reports an error. */
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

/** What the call was charged now: a replay charges nothing, and its header repeats the first call's charge. */
export function chargeOf({ headers }: CallResponse): number {
  return headers["idempotent-replayed"] ? 0 : Number(headers["x-service-credits-charged"] ?? 0);
}
