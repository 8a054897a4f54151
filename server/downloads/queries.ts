import { createHmac, timingSafeEqual } from "node:crypto";
import { platform } from "#server/platform.ts";

/** How long a download's address works. */
const LIFETIME_MS = 15 * 60_000;

/** What an address leads to: ids as on the wire. */
export interface Download {
  kind: "file" | "artifact";
  accountId: string;
  id: string;
}

function signatureOf(payload: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`download/v1\n${payload}`).digest();
}

/** An address that serves the bytes without a key, for a quarter of an hour. */
export function signedDownload({ kind, accountId, id }: Download) {
  const expires = Date.now() + LIFETIME_MS;
  const payload = Buffer.from(JSON.stringify([kind, accountId, id, expires])).toString("base64url");
  const { baseUrl, fingerprintSecrets } = platform().settings;
  const signature = signatureOf(payload, fingerprintSecrets[0]);
  return {
    downloadUrl: `${baseUrl}/downloads/${payload}.${signature.toString("base64url")}`,
    downloadUrlExpiresAt: new Date(expires).toISOString(),
  };
}

/** What the token of an address leads to; null for one that is over, or that this platform did not sign. */
export function openDownload(token: string): Download | null {
  const [payload = "", signature = ""] = token.split(".");
  const sent = Buffer.from(signature, "base64url");
  const isOurs = (secret: string) => {
    const expected = signatureOf(payload, secret);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
  if (!platform().settings.fingerprintSecrets.some(isOurs)) return null;
  const [kind, accountId, id, expires] = JSON.parse(Buffer.from(payload, "base64url").toString());
  return expires > Date.now() ? { kind, accountId, id } : null;
}
