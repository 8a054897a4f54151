import { type SQL, sql } from "drizzle-orm";
import { uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { StoredKind } from "./schema.ts";

type Kind = Exclude<StoredKind, "database">;

/** How to free storage of each kind, for the error message. */
export const FREEING: Record<Kind, string> = {
  files: "Delete files: DELETE /v1/files/{fileId}.",
  artifacts: "Artifacts go when they expire; GET /v1/artifacts says when.",
  transfers:
    "Cancel transfers that are not needed: DELETE /v1/databases/transfers/{transferId}. Others go when they expire.",
  results: "A result is kept for 15 minutes. Wait, or select less.",
  runs: "Forget ended runs that are not needed: POST /v1/runs/{runId}/forget.",
  memories: "Delete memories that are not needed: managed-memory delete.",
  workflows:
    "The newest 100 versions of each are kept, and newer ones take the place of the oldest. Ask the operator for more.",
  events: "Events and deliveries go after 31 days. Wait, or send less.",
};

/** Returns the error for content that exceeds its account's budget. */
export function quotaExceeded(kind: Kind, used: number, more: number): ApiError {
  const budget = platform().settings.storage[`${kind}Bytes`];
  return new ApiError(
    "quota_exceeded",
    `The account's ${kind} take ${used} of ${budget} bytes; ${more} more have no room. ${FREEING[kind]}`,
  );
}

/**
 * Counts bytes for the account in the `returning` of the statement that stores them: `usedBytes` is null, or the bytes
 * in use if the budget has no room.
 */
export function takenBytes(accountId: string, kind: "memories" | "workflows", bytes: SQL) {
  const budget = platform().settings.storage[`${kind}Bytes`];
  return {
    usedBytes: sql<
      string | null
    >`take_bytes(${uuidOf("account", accountId)}, ${kind}, ${bytes}, ${bytes}, ${budget}::bigint)::text`,
  };
}
