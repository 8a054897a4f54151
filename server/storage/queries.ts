import { type SQL, sql } from "drizzle-orm";
import { uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { FREEING } from "./kinds.ts";
import type { StoredKind } from "./schema.ts";

type Kind = Exclude<StoredKind, "database">;

/** Returns a sentence for callers of the API that says how to free storage of this kind. */
export function freeingText(kind: Kind): string {
  const { words, call } = FREEING[kind];
  return call === undefined ? `${words}.` : `${words}: ${call}.`;
}

/** Returns the error for content that exceeds its account's budget. */
export function quotaExceeded(kind: Kind, used: number, more: number): ApiError {
  const budget = platform().settings.storage[`${kind}Bytes`];
  return new ApiError(
    "quota_exceeded",
    `The account's ${kind} take ${used} of ${budget} bytes; ${more} more have no room. ${freeingText(kind)}`,
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
