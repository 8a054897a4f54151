import { createHash, randomBytes } from "node:crypto";
import { fingerprintUnder, openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";

/** The trigger that a sealed value belongs to; it cannot be opened for another. */
interface Owner {
  accountId: string;
  triggerId: string;
}

type Part = "secret" | "token";

/** Returns the sealing context of a part. */
export const inboundContext = (part: Part, { accountId, triggerId }: Owner): string =>
  `inbound-${part}/${accountId}/${triggerId}`;

/** Seals the secret or the token of an inbound webhook for its row. */
function sealInbound(part: Part, owner: Owner, plain: string): Uint8Array {
  const bytes = new TextEncoder().encode(plain);
  return sealFor(platform().settings.sealingKeys, inboundContext(part, owner), bytes);
}

/** Opens the result of `sealInbound`. */
export function openInbound(part: Part, owner: Owner, sealed: Uint8Array): string {
  const plain = openFor(platform().settings.sealingKeys, inboundContext(part, owner), sealed);
  if (!plain) throw new Error(`The ${part} of ${owner.triggerId} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** Returns the hash under which a token is stored. */
export const tokenHashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Returns the columns of a new address. */
export function newAddress(owner: Owner) {
  const token = randomBytes(32).toString("base64url");
  return { tokenHash: tokenHashOf(token), token: sealInbound("token", owner, token) };
}

/** Returns the address of a webhook. */
export function addressOf(webhook: Owner & { token: Uint8Array }): string {
  return `${platform().settings.baseUrl}/in/${openInbound("token", webhook, webhook.token)}`;
}

/** Returns the columns of a secret. */
export function secretColumns(owner: Owner, secret: string) {
  return {
    secret: sealInbound("secret", owner, secret),
    secretFingerprint: fingerprintUnder(
      platform().settings.sealingKeys[0],
      `inbound-fingerprint/${owner.accountId}`,
      secret,
    ),
  };
}
