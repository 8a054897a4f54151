import { createHmac, timingSafeEqual } from "node:crypto";
import { platform } from "#server/platform.ts";

/** The lifetime of a download's address. */
const LIFETIME_MS = 15 * 60_000;

/** The target of an address; ids in their public form. */
export interface Download {
  kind: "file" | "artifact";
  accountId: string;
  id: string;
}

function signatureOf(payload: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`download/v1\n${payload}`).digest();
}

/** Returns an address that serves the bytes without a key, for 15 minutes. */
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

/** Returns the target of an address's token; null if it has expired or this platform did not sign it. */
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
