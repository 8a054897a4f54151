import { Secret, TOTP } from "otpauth";
import { currentMs } from "#server/base/clock.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";

const STEP_SECONDS = 30;

function generatorOf(secret: Uint8Array, email: string): TOTP {
  return new TOTP({
    issuer: "Managed Services",
    label: email,
    secret: new Secret({ buffer: secret.slice().buffer }),
    algorithm: "SHA1",
    digits: 6,
    period: STEP_SECONDS,
  });
}

/** Returns a secret in the forms for authenticator apps: the address for the QR code, and the text to type in. */
export function enrolmentOf(secret: Uint8Array, email: string): { uri: string; secret: string } {
  const generator = generatorOf(secret, email);
  return { uri: generator.toString(), secret: generator.secret.base32 };
}

/** Returns the time step of this code, among the current step and its two neighbours; null for a wrong code. */
export function stepOfCode(secret: Uint8Array, code: string): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = currentMs();
  const delta = generatorOf(secret, "").validate({ token, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

/** Returns the sealing context of a user's secret. */
export const totpContext = (userId: string): string => `totp/${userId}`;

/** Seals a secret for storage. */
export function sealTotp(userId: string, secret: Uint8Array): Uint8Array {
  return sealFor(platform().settings.sealingKeys, totpContext(userId), secret);
}

export function openTotp(userId: string, sealed: Uint8Array): Uint8Array {
  const secret = openFor(platform().settings.sealingKeys, totpContext(userId), sealed);
  if (!secret) throw new Error(`The TOTP secret of ${userId} was sealed under another SEALING_KEY.`);
  return secret;
}
