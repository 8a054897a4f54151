import { DrizzleQueryError } from "drizzle-orm";
import { log } from "#server/log.ts";
import { ApiError } from "./errors.ts";

const GONE = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "QUERY_TIMEOUT",
  "QUEUE_FULL",
  "FOREIGN_ANSWER",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  // Its disk is full, until somebody makes room.
  "53100",
]);

/** The code of the first error in the chain of causes that has one. */
function codeOf(reason: unknown): string | undefined {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return undefined;
}

/** Whether the connection to the database failed, rather than a statement. */
export function isDatabaseGone(reason: unknown): boolean {
  const code = codeOf(reason);
  return code !== undefined && (GONE.has(code) || code.startsWith("08"));
}

/** Whether a unique index of this name refused a row. */
export function isDuplicate(reason: unknown, constraint: string): boolean {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("constraint_name" in error && error.constraint_name === constraint) return codeOf(error) === "23505";
  }
  return false;
}

const queryOf = (reason: unknown) => (reason instanceof DrizzleQueryError ? reason.query : undefined);

/** PostgreSQL ended the statement by itself since it took too long, and undid it. */
const STATEMENT_TIMEOUT = "57014";

/** What the caller is told of any failure: an `ApiError` as it is, a database that is gone or overloaded as 503, the rest as 500. */
export function asApiError(reason: unknown, requestId: string): ApiError {
  if (reason instanceof ApiError) return reason;
  if (isDatabaseGone(reason)) {
    return new ApiError(
      "service_unavailable",
      "The platform's database (DATABASE_URL) is not available.",
      { retryAfterSeconds: 2 },
      { cause: reason },
    );
  }
  if (codeOf(reason) === STATEMENT_TIMEOUT) {
    log.warn("A statement took too long.", { requestId, query: queryOf(reason) });
    return new ApiError(
      "service_unavailable",
      "The platform's database (DATABASE_URL) took too long.",
      { retryAfterSeconds: 2 },
      { cause: reason },
    );
  }
  // Drizzle's error carries the values of the query; they are the customer's and stay out of the log.
  const query = queryOf(reason);
  log.error("A request failed.", { requestId, query, error: query ? (reason as Error).cause : reason });
  return new ApiError(
    "internal",
    `The platform failed. Ask for help with the request id ${requestId}.`,
    {},
    { cause: reason },
  );
}
