import postgres from "postgres";
import { ApiError } from "#server/operation/errors.ts";
import { ComponentLost, isConnectionLost } from "#server/operation/faults.ts";
import { platform } from "#server/platform.ts";
import { UnknownCluster } from "#server/providers/tenants/sessions.ts";
import { ClusterSilent } from "#server/providers/tenants/watch.ts";
import { DATABASE_LIMITS } from "./schema.ts";

/** The limits that a statement may exceed, by SQLSTATE. */
const LIMITS: Record<string, string> = {
  "57014": "The statement ran longer than its `timeoutMs`. Send a longer one, or make it do less.",
  "25P03": "The statement ran longer than its `timeoutMs`. Send a longer one, or make it do less.",
  "25P04": "The statement ran longer than its `timeoutMs`. Send a longer one, or make it do less.",
  "53400": "The statement needs more temporary space than a statement may take. Make it sort or join less.",
  "53200": "The statement needs more memory than a statement may take. Make it do less.",
  "54000": "The statement passes a limit of PostgreSQL. Make it do less.",
  "54001": "The statement is nested too deeply. Make it simpler.",
};

/** A message of a tenant's own RAISE may have megabytes. */
const bounded = (text: string) => (text.length > 1000 ? `${text.slice(0, 999).toWellFormed()}…` : text);

const DISK_FULL = "53100";
const CONFLICTS = new Set(["40001", "40P01", "55P03"]);

/** Returns the error for an unreachable cluster. */
export function databaseUnavailable(cause: unknown): ComponentLost {
  const text = "The cluster of managed databases (MANAGED_DATABASE_URLS) is not available.";
  return new ComponentLost(text, {}, cause);
}

/** Returns the error for a full disk of the cluster, whatever the account's budget. */
function clusterFull(cause: unknown): ComponentLost {
  const text =
    "The cluster of managed databases (MANAGED_DATABASE_URLS) has no room left on its disk. Nothing was changed.";
  return new ComponentLost(text, { retryAfterSeconds: 5 }, cause);
}

/** No such database or role. */
const REMOVED = new Set(["3D000", "28000", "28P01"]);

/** A lock or a use of the template that did not end in time, or a statement of ours that took too long for that. */
const BUSY = new Set(["55P03", "55006", "57014", "40P01"]);

/** Returns the caller's error for a failure of the cluster itself, rather than of a statement. Passes anything else on. */
export function clusterFault(reason: unknown): unknown {
  if (isRemoved(reason)) return databaseRemoved(reason);
  if (reason instanceof UnknownCluster || reason instanceof ClusterSilent) return databaseUnavailable(reason);
  if (reason instanceof postgres.PostgresError) {
    if (reason.code === DISK_FULL) return clusterFull(reason);
    if (BUSY.has(reason.code)) return clusterBusy(reason);
  }
  return isConnectionLost(reason) ? databaseUnavailable(reason) : reason;
}

/** True if a connection was refused or ended because the database or the account's role no longer exists. */
export function isRemoved(reason: unknown): boolean {
  if (reason instanceof DatabaseLeft) return true;
  const cause = reason instanceof ApiError ? reason.cause : reason;
  if (!(cause instanceof postgres.PostgresError)) return false;
  // The role is looked up before it signs in.
  const roleGone = cause.code === "42704" && /^role "tenant_\w+" does not exist$/.test(cause.message);
  return roleGone || (cause.severity === "FATAL" && REMOVED.has(cause.code));
}

function databaseRemoved(cause: unknown): ApiError {
  const text = "The account's database was removed before the statement began.";
  return new ApiError("state_conflict", text, { operationState: "not_started" }, { cause });
}

/** The error for a statement whose connection was ended by the removal of its database. */
export class DatabaseLeft extends ApiError {
  constructor(cause?: unknown) {
    const text = "The account's database is being removed, and the statement was undone.";
    super("state_conflict", text, { operationState: "not_started" }, { cause });
  }
}

function clusterBusy(cause: unknown): ComponentLost {
  const text =
    "The cluster of managed databases (MANAGED_DATABASE_URLS) is busy with other work on its databases. Send the call again.";
  return new ComponentLost(text, {}, cause);
}

/** Returns the error for a transaction that would make the database exceed its budget, at this size. */
export function databaseFull(bytes: number, cause?: unknown): ApiError {
  const budget = platform().settings.storage.databaseBytes;
  return new ApiError(
    "quota_exceeded",
    `The account's database would take ${bytes} of ${budget} bytes, and all was undone. GET /v1/databases/account says how much each table takes: delete rows and vacuum, truncate or drop tables, or write less.`,
    {},
    { cause },
  );
}

/** Returns the error for a row too large for a response, by default for any. */
export function rowTooLarge(
  bytes: number,
  { most = DATABASE_LIMITS.maximumAnswerBytes, cause }: { most?: number; cause?: unknown } = {},
): ApiError {
  return new ApiError(
    "query_limit_exceeded",
    `One row has ${bytes} bytes; an answer has at most ${most}. Select less of it.`,
    {},
    { cause },
  );
}

/** Returns the error for a statement that ends its own connection. */
export function endedItself(cause: unknown): ApiError {
  const message =
    "A statement ended the connection that it ran on, and all was undone. Send it without that.";
  const issues = [{ path: "body", message }];
  return new ApiError("invalid_request", `body: ${message}`, { issues, sqlState: "57P01" }, { cause });
}

/** Returns the caller's error for a failed statement; `path` is where it stood in the body. Passes anything else on. */
export function sqlFault(reason: unknown, path: string): unknown {
  if (reason instanceof postgres.PostgresError) {
    const { code, position } = reason;
    const message = bounded(reason.message);
    const details = { sqlState: code, ...(position && { position: Number(position) }) };
    const limit = LIMITS[code];
    if (limit) return new ApiError("query_limit_exceeded", limit, details, { cause: reason });
    if (CONFLICTS.has(code)) {
      const text = `${path}: ${message}. Another statement was first; send it again under a new Idempotency-Key.`;
      return new ApiError("state_conflict", text, details, { cause: reason });
    }
    if (code === DISK_FULL) return clusterFull(reason);
    if (!isConnectionLost(reason)) {
      const issues = [{ path, message: `${message}.` }];
      return new ApiError(
        "invalid_request",
        `${path}: ${message}.`,
        { issues, ...details },
        { cause: reason },
      );
    }
  }
  return isConnectionLost(reason) ? databaseUnavailable(reason) : reason;
}
