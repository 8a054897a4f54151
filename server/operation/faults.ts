import { DrizzleQueryError } from "drizzle-orm";
import { failedCommitting } from "#db/client.ts";
import { log } from "#server/log.ts";
import { ApiError, type OperationState } from "./errors.ts";

/** The codes that only our driver gives. */
const DRIVER_CODES = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "QUERY_TIMEOUT",
  "QUEUE_FULL",
  "FOREIGN_ANSWER",
]);

/** The codes of any socket's errors, whatever its peer. */
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** The SQLSTATEs by which PostgreSQL itself refuses all work, beside class 08: it stops, is full of connections, or its disk is. */
const SERVER_CODES = new Set(["57P01", "57P02", "57P03", "53300", "53100"]);

/** The code of the first error in the chain of causes that has one. */
function codeInCauses(reason: unknown): string | undefined {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return undefined;
}

/** Whether a connection to a cluster of accounts' databases failed, rather than a statement. */
export function isConnectionLost(reason: unknown): boolean {
  // Drizzle talks to the platform's own database only.
  if (reason instanceof DrizzleQueryError) return false;
  const code = codeInCauses(reason);
  if (code === undefined) return false;
  return DRIVER_CODES.has(code) || SOCKET_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith("08");
}

/** The error of a caller whose call met the platform's own database being lost. */
export class DatabaseLost extends ApiError {
  constructor(message: string, cause: unknown, operationState: OperationState = "not_started") {
    super("service_unavailable", message, { operationState, retryAfterSeconds: 2 }, { cause });
  }
}

/** Whether our driver failed a query with this error: it notes the query on it. */
const failedQuery = (error: Error) =>
  error.name === "PostgresError" || ("query" in error && "parameters" in error);

/** Whether the call has happened is not known. */
export function lostWhileStored(cause: unknown): DatabaseLost {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost while the call was being stored. Repeat it with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/** PostgreSQL ended the statement by itself since it took too long, and undid it. */
const STATEMENT_TIMEOUT = "57014";

/** The code by which our driver failed a query of the platform's own database. */
function codeOfQuery(reason: unknown): string | null {
  const error = reason instanceof DrizzleQueryError ? reason.cause : reason;
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return DRIVER_CODES.has(error.code) || failedQuery(error) ? error.code : null;
}

/** Whether the platform's own database took too long for a statement: it is undone, and its transaction with it. */
export function isStatementTimeout(reason: unknown): boolean {
  return codeOfQuery(reason) === STATEMENT_TIMEOUT;
}

/**
 * Whether the platform's own database is lost or too slow, so that the same may succeed later. A failure of anybody else's,
 * which may have the same code, comes as an error that neither our driver nor Drizzle has made.
 */
export function isDatabaseGone(reason: unknown): boolean {
  if (reason instanceof DatabaseLost) return true;
  const code = codeOfQuery(reason);
  if (code === null) return false;
  return (
    DRIVER_CODES.has(code) ||
    SOCKET_CODES.has(code) ||
    SERVER_CODES.has(code) ||
    code === STATEMENT_TIMEOUT ||
    code.startsWith("08")
  );
}

/** Whether a unique index of this name refused a row. */
export function isDuplicate(reason: unknown, constraint: string): boolean {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("constraint_name" in error && error.constraint_name === constraint)
      return codeInCauses(error) === "23505";
  }
  return false;
}

const queryOf = (reason: unknown) => (reason instanceof DrizzleQueryError ? reason.query : undefined);

/** The error that reports any failure to the caller: an `ApiError` as it is, a database that is gone or overloaded as 503, the rest as 500. */
export function asApiError(reason: unknown, requestId: string): ApiError {
  if (reason instanceof ApiError) return reason;
  if (codeInCauses(reason) === STATEMENT_TIMEOUT) {
    log.warn("A statement took too long.", { requestId, query: queryOf(reason) });
    return new DatabaseLost("The platform's database (DATABASE_URL) took too long.", reason);
  }
  if (isDatabaseGone(reason)) {
    if (failedCommitting(reason))
      return new DatabaseLost(
        "The platform's database (DATABASE_URL) was lost during the call.",
        reason,
        "unknown",
      );
    return new DatabaseLost("The platform's database (DATABASE_URL) is not available.", reason);
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
