import { createHmac, timingSafeEqual } from "node:crypto";
import { platform } from "#server/platform.ts";

function signatureOf(purpose: string, payload: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`${purpose}\n${payload}`).digest();
}

/** Returns a token with these values and their signature. Tokens of one purpose, e.g. `watch/v1`, serve no other. */
export function signToken(purpose: string, values: readonly (string | number)[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString("base64url");
  const { fingerprintSecrets } = platform().settings;
  return `${payload}.${signatureOf(purpose, payload, fingerprintSecrets[0]).toString("base64url")}`;
}

/** Returns the values of a token; null if this platform did not sign it for the purpose. The caller knows their types. */
export function openToken<Values extends (string | number | undefined)[]>(
  purpose: string,
  token: string,
): Values | null {
  const [payload = "", signature = "", ...more] = token.split(".");
  const sent = Buffer.from(signature, "base64url");
  const isOurs = (secret: string) => {
    const expected = signatureOf(purpose, payload, secret);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
  if (more.length > 0 || !platform().settings.fingerprintSecrets.some(isOurs)) return null;
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}
