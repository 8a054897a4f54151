import { currentMs } from "#server/base/clock.ts";
import type { Caller } from "#server/operation/caller.ts";
import { openToken, signToken } from "#server/operation/signed-token.ts";
import { platform } from "#server/platform.ts";
import type { RunRow } from "./queries.ts";

/** The lifetime of an address by which a browser watches a run. */
const LIFETIME_MS = 15 * 60_000;
const PURPOSE = "watch/v1";

/** The run that an address shows, and the key that created the address; ids in their public form. */
export interface Watched {
  accountId: string;
  runId: string;
  keyId: string;
  /** In Unix milliseconds. */
  expires: number;
}

/**
 * Returns an address by which its holder can watch the run: for 15 minutes, and no longer than the caller's key lives.
 */
export function watchAddress(
  { accountId, id, privacyTier }: RunRow,
  caller: Caller,
): { watchUrl: string | null; watchUrlExpiresAt: string | null } {
  if (caller.type !== "key" || privacyTier === "strict") return { watchUrl: null, watchUrlExpiresAt: null };
  const expires = currentMs() + LIFETIME_MS;
  const token = signToken(PURPOSE, [accountId, id, caller.id, expires]);
  return {
    watchUrl: `${platform().settings.baseUrl}/watch/${token}`,
    watchUrlExpiresAt: new Date(expires).toISOString(),
  };
}

/** Returns the content of an address's token; null if this platform did not sign it. */
export function openWatch(token: string): Watched | null {
  const opened = openToken<[string, string, string, number]>(PURPOSE, token);
  if (!opened) return null;
  const [accountId, runId, keyId, expires] = opened;
  return { accountId, runId, keyId, expires };
}
