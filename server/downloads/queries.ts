import { currentMs } from "#server/base/clock.ts";
import type { Caller } from "#server/operation/caller.ts";
import { openToken, signToken } from "#server/operation/signed-token.ts";
import { platform } from "#server/platform.ts";

/** The lifetime of a download's address. */
const LIFETIME_MS = 15 * 60_000;
const PURPOSE = "download/v1";

/** The target of an address, and who was given it; ids in their public form. */
export interface Download {
  kind: "file" | "artifact";
  accountId: string;
  id: string;
  /** The key or member; null in an address that the release before signed, all of which end within 15 minutes. */
  readerId: string | null;
}

/** Returns an address that serves the bytes without a key, for 15 minutes, while the caller may read them. */
export function signedDownload(
  { kind, accountId, id }: Pick<Download, "kind" | "accountId" | "id">,
  caller: Caller,
) {
  const expires = currentMs() + LIFETIME_MS;
  const token = signToken(PURPOSE, [kind, accountId, id, expires, caller.id]);
  return {
    downloadUrl: `${platform().settings.baseUrl}/downloads/${token}`,
    downloadUrlExpiresAt: new Date(expires).toISOString(),
  };
}

/** Returns the target of an address's token; null if it has expired or this platform did not sign it. */
export function openDownload(token: string): Download | null {
  const opened = openToken<[Download["kind"], string, string, number, string?]>(PURPOSE, token);
  if (!opened) return null;
  const [kind, accountId, id, expires, readerId = null] = opened;
  return expires > currentMs() ? { kind, accountId, id, readerId } : null;
}
