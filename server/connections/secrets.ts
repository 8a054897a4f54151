import { createHmac, hkdfSync } from "node:crypto";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";

/** What a sealed value belongs to: it opens for nothing else. */
export interface Sealing {
  accountId: string;
  id: string;
  secretVersion: number;
}

type Part = "secret" | "token";

/** What a part is sealed for. */
export const partContext = (part: Part, { accountId, id, secretVersion }: Sealing): string =>
  `connection-${part}/${accountId}/${id}/${secretVersion}`;

/** Seals a connection's secret, or the access token that was fetched with it, for its row. */
export function sealPart(part: Part, owner: Sealing, plain: string): Uint8Array {
  const bytes = new TextEncoder().encode(plain);
  return sealFor(platform().settings.sealingKeys, partContext(part, owner), bytes);
}

/** Opens what `sealPart` sealed. */
export function openPart(part: Part, owner: Sealing, sealed: Uint8Array): string {
  const plain = openFor(platform().settings.sealingKeys, partContext(part, owner), sealed);
  if (!plain) throw new Error(`The ${part} of ${owner.id} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** Returns an HMAC of a secret under a key of its account, by which secrets are compared without being shown. */
export function fingerprintOf(accountId: string, secret: string): string {
  const key = hkdfSync(
    "sha256",
    platform().settings.sealingKeys[0],
    "",
    `connection-fingerprint/${accountId}`,
    32,
  );
  return createHmac("sha256", new Uint8Array(key)).update(secret).digest("hex").slice(0, 16);
}
