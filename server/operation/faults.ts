import { DrizzleQueryError } from "drizzle-orm";
import { failedCommitting } from "#db/client.ts";
import { FROZEN_STATE } from "#db/frozen.ts";
import { log } from "#server/base/log.ts";
import { ApiError, type ErrorDetails, type OperationState } from "./errors.ts";

/** Error codes that only the PostgreSQL driver produces. */
const DRIVER_CODES = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "QUERY_TIMEOUT",
  "QUEUE_FULL",
  "FOREIGN_ANSWER",
]);

/** Socket error codes, which any peer can cause. */
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

/**
 * The SQLSTATEs beside class 08 with which PostgreSQL refuses all work: shutdown, too many connections, or a
 * full disk.
 */
const SERVER_CODES = new Set(["57P01", "57P02", "57P03", "53300", "53100"]);

/**
 * The SQLSTATEs with which the platform's own database refuses a statement that may succeed later: a primary that was
 * demoted, memory or locks that ran out, and transactions that it undid each time they were tried.
 */
const PASSING_CODES = new Set(["25006", "53200", "40001", "40P01"]);

/** Returns the code of the first error in the chain of causes that has one. */
function codeInCauses(reason: unknown): string | undefined {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return undefined;
}

/** True if the connection to a cluster of tenant databases failed, rather than a statement. */
export function isConnectionLost(reason: unknown): boolean {
  // Drizzle is used for the platform's own database only.
  if (reason instanceof DrizzleQueryError) return false;
  const code = codeInCauses(reason);
  if (code === undefined) return false;
  return DRIVER_CODES.has(code) || SOCKET_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith("08");
}

/**
 * The error for a call that needs a component of the platform itself which is lost or has too much to do: a repeat may
 * succeed later, so that a run waits for it instead of failing.
 */
export class ComponentLost extends ApiError {
  constructor(message: string, details: ErrorDetails = {}, cause?: unknown) {
    const defaults = { operationState: "not_started", retryAfterSeconds: 2 } as const;
    super("service_unavailable", message, { ...defaults, ...details }, { cause });
  }
}

/** The error for a call during which the connection to the platform's own database was lost. */
export class DatabaseLost extends ComponentLost {
  constructor(message: string, cause: unknown, operationState: OperationState = "not_started") {
    super(message, { operationState }, cause);
  }
}

/** The error for a call during which the platform's own blob store failed; nothing was stored. */
export class BlobStoreLost extends ComponentLost {
  constructor(message: string, cause?: unknown) {
    super(message, { retryAfterSeconds: 5 }, cause);
  }
}

/** True if the driver failed a query with this error: the driver attaches the query to it. */
const failedQuery = (error: Error) =>
  error.name === "PostgresError" || ("query" in error && "parameters" in error);

/** The refusal of a call to a frozen account. */
export class AccountFrozen extends ApiError {
  constructor(cause?: unknown) {
    super(
      "service_unavailable",
      "The account is frozen for a moment while the platform's operator moves it. Nothing was started; send the same call again.",
      { operationState: "not_started", retryAfterSeconds: 1 },
      { cause },
    );
  }
}

/** True if a write was refused because its account is frozen; its transaction is rolled back. */
export function isFrozen(reason: unknown): boolean {
  return codeOfQuery(reason) === FROZEN_STATE;
}

/** Returns the error for a call of which it is unknown whether it happened. */
export function lostWhileStored(cause: unknown): DatabaseLost {
  return new DatabaseLost(
    "The platform's database (DATABASE_URL) was lost while the call was being stored. Repeat it with the same Idempotency-Key.",
    cause,
    "unknown",
  );
}

/** PostgreSQL cancelled the statement because it exceeded its time limit or that for a lock, and rolled it back. */
const STATEMENT_TIMEOUTS = new Set(["57014", "55P03"]);

/** Returns the driver's error code for a failed query on the platform's own database. */
function codeOfQuery(reason: unknown): string | null {
  const error = reason instanceof DrizzleQueryError ? reason.cause : reason;
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return DRIVER_CODES.has(error.code) || failedQuery(error) ? error.code : null;
}

/**
 * True if a statement on the platform's own database exceeded a time limit; it is rolled back together with its
 * transaction.
 */
export function isStatementTimeout(reason: unknown): boolean {
  return STATEMENT_TIMEOUTS.has(codeOfQuery(reason) ?? "");
}

/**
 * True if the platform's own database is lost or too slow, so that a repeat may succeed later. Failures of
 * other systems may have the same codes, but neither the driver nor Drizzle creates those errors.
 */
export function isDatabaseGone(reason: unknown): boolean {
  if (reason instanceof DatabaseLost) return true;
  const code = codeOfQuery(reason);
  if (code === null) return false;
  return (
    DRIVER_CODES.has(code) ||
    SOCKET_CODES.has(code) ||
    SERVER_CODES.has(code) ||
    STATEMENT_TIMEOUTS.has(code) ||
    PASSING_CODES.has(code) ||
    code.startsWith("08")
  );
}

/** True if a component of the platform itself is lost or too slow, so that a repeat may succeed later. */
export function isPlatformFault(reason: unknown): boolean {
  return reason instanceof ComponentLost || isDatabaseGone(reason);
}

/** True if the unique index of this name refused a row. */
export function isDuplicate(reason: unknown, constraint: string): boolean {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("constraint_name" in error && error.constraint_name === constraint)
      return codeInCauses(error) === "23505";
  }
  return false;
}

const queryOf = (reason: unknown) => (reason instanceof DrizzleQueryError ? reason.query : undefined);

/**
 * Returns the error to report to the caller: an `ApiError` unchanged, a lost or overloaded database as 503,
 * anything else as 500.
 */
export function asApiError(reason: unknown, requestId: string): ApiError {
  if (reason instanceof ApiError) return reason;
  if (isFrozen(reason)) return new AccountFrozen(reason);
  if (STATEMENT_TIMEOUTS.has(codeInCauses(reason) ?? "")) {
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
  // Drizzle's error carries the query's values, which belong to the customer and must not be logged.
  const query = queryOf(reason);
  log.error("A request failed.", {
    requestId,
    query,
    error: query && reason instanceof Error ? reason.cause : reason,
  });
  return new ApiError(
    "internal",
    `The platform failed. Ask for help with the request id ${requestId}.`,
    {},
    { cause: reason },
  );
}
