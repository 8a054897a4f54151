import { createHmac, timingSafeEqual } from "node:crypto";
import type { Caller } from "#server/operation/caller.ts";
import { platform } from "#server/platform.ts";
import type { RunRow } from "./queries.ts";

/** The lifetime of an address by which a browser watches a run. */
const LIFETIME_MS = 15 * 60_000;

/** The run that an address shows, and the key that created the address; ids in their public form. */
export interface Watched {
  accountId: string;
  runId: string;
  keyId: string;
  /** In Unix milliseconds. */
  expires: number;
}

function signatureOf(payload: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`watch/v1\n${payload}`).digest();
}

/**
 * Returns an address by which its holder can watch the run: for 15 minutes, and no longer than the caller's key lives.
 */
export function watchAddress(
  { accountId, id, privacyTier }: RunRow,
  caller: Caller,
): { watchUrl: string | null; watchUrlExpiresAt: string | null } {
  if (caller.type !== "key" || privacyTier === "strict") return { watchUrl: null, watchUrlExpiresAt: null };
  const expires = Date.now() + LIFETIME_MS;
  const payload = Buffer.from(JSON.stringify([accountId, id, caller.id, expires])).toString("base64url");
  const { baseUrl, fingerprintSecrets } = platform().settings;
  const signature = signatureOf(payload, fingerprintSecrets[0]).toString("base64url");
  return {
    watchUrl: `${baseUrl}/watch/${payload}.${signature}`,
    watchUrlExpiresAt: new Date(expires).toISOString(),
  };
}

/** Returns the content of an address's token; null if this platform did not sign it. */
export function openWatch(token: string): Watched | null {
  const [payload = "", signature = "", ...more] = token.split(".");
  const sent = Buffer.from(signature, "base64url");
  const isOurs = (secret: string) => {
    const expected = signatureOf(payload, secret);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
  if (more.length > 0 || !platform().settings.fingerprintSecrets.some(isOurs)) return null;
  const [accountId, runId, keyId, expires] = JSON.parse(Buffer.from(payload, "base64url").toString());
  return { accountId, runId, keyId, expires };
}
