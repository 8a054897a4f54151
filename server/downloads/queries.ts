import { currentMs } from "#server/base/clock.ts";
import { openToken, signToken } from "#server/operation/signed-token.ts";
import { platform } from "#server/platform.ts";

/** The lifetime of a download's address. */
const LIFETIME_MS = 15 * 60_000;
const PURPOSE = "download/v1";

/** The target of an address; ids in their public form. */
export interface Download {
  kind: "file" | "artifact";
  accountId: string;
  id: string;
}

/** Returns an address that serves the bytes without a key, for 15 minutes. */
export function signedDownload({ kind, accountId, id }: Download) {
  const expires = currentMs() + LIFETIME_MS;
  return {
    downloadUrl: `${platform().settings.baseUrl}/downloads/${signToken(PURPOSE, [kind, accountId, id, expires])}`,
    downloadUrlExpiresAt: new Date(expires).toISOString(),
  };
}

/** Returns the target of an address's token; null if it has expired or this platform did not sign it. */
export function openDownload(token: string): Download | null {
  const opened = openToken<[Download["kind"], string, string, number]>(PURPOSE, token);
  if (!opened) return null;
  const [kind, accountId, id, expires] = opened;
  return expires > currentMs() ? { kind, accountId, id } : null;
}
