import { createHash, randomBytes } from "node:crypto";
import { fingerprintUnder, openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";

/** Which trigger's webhook it belongs to: sealed, it opens for no other. */
interface Owner {
  accountId: string;
  triggerId: string;
}

type Part = "secret" | "token";

/** What a part is sealed for. */
export const inboundContext = (part: Part, { accountId, triggerId }: Owner): string =>
  `inbound-${part}/${accountId}/${triggerId}`;

/** Seals the secret or the token of an inbound webhook for its row. */
export function sealInbound(part: Part, owner: Owner, plain: string): Uint8Array {
  const bytes = new TextEncoder().encode(plain);
  return sealFor(platform().settings.sealingKeys, inboundContext(part, owner), bytes);
}

/** Opens what `sealInbound` sealed. */
export function openInbound(part: Part, owner: Owner, sealed: Uint8Array): string {
  const plain = openFor(platform().settings.sealingKeys, inboundContext(part, owner), sealed);
  if (!plain) throw new Error(`The ${part} of ${owner.triggerId} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** What a token is known by. */
export const tokenHashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The columns of a new address. */
export function newAddress(owner: Owner) {
  const token = randomBytes(32).toString("base64url");
  return { tokenHash: tokenHashOf(token), token: sealInbound("token", owner, token) };
}

/** The address of a webhook. */
export function addressOf(webhook: Owner & { token: Uint8Array }): string {
  return `${platform().settings.baseUrl}/in/${openInbound("token", webhook, webhook.token)}`;
}

/** The columns of a secret. */
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
