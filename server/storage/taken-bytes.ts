import { type SQL, sql } from "drizzle-orm";
import { uuidOf } from "#server/ids.ts";
import { platform } from "#server/platform.ts";

/**
 * Counts bytes for the account in the `returning` of the statement that stores them: `usedBytes` are null, or what is in use
 * where there is no room for them.
 */
export function takenBytes(accountId: string, kind: "memories" | "workflows", bytes: SQL) {
  const budget = platform().settings.storage[`${kind}Bytes`];
  return {
    usedBytes: sql<
      string | null
    >`take_bytes(${uuidOf("account", accountId)}, ${kind}, ${bytes}, ${bytes}, ${budget}::bigint)::text`,
  };
}
