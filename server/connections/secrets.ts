import { fingerprintUnder, openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";

/** The identity that a sealed value is bound to; it cannot be opened for any other. */
export interface Sealing {
  accountId: string;
  id: string;
  secretVersion: number;
}

type Part = "secret" | "token";

/** Returns the sealing context of a part. */
export const partContext = (part: Part, { accountId, id, secretVersion }: Sealing): string =>
  `connection-${part}/${accountId}/${id}/${secretVersion}`;

/** Seals a connection's secret, or the access token fetched with it, for storage in its row. */
export function sealPart(part: Part, owner: Sealing, plain: string): Uint8Array {
  const bytes = new TextEncoder().encode(plain);
  return sealFor(platform().settings.sealingKeys, partContext(part, owner), bytes);
}

/** Opens the result of `sealPart`. */
export function openPart(part: Part, owner: Sealing, sealed: Uint8Array): string {
  const plain = openFor(platform().settings.sealingKeys, partContext(part, owner), sealed);
  if (!plain) throw new Error(`The ${part} of ${owner.id} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** Returns an HMAC of a secret under a key of its account, by which secrets are compared without being shown. */
export function fingerprintOf(accountId: string, secret: string): string {
  return fingerprintUnder(platform().settings.sealingKeys[0], `connection-fingerprint/${accountId}`, secret);
}
