import { randomBytes } from "node:crypto";
import { type HmacKey, hmac, hmacKey, standardHeaders, standardKey } from "#server/base/standard-webhooks.ts";
import { openFor, type SealSecret, sealFor } from "#server/operation/seal.ts";

/** The webhook that a secret belongs to; the sealed secret cannot be opened for another. */
interface Owner {
  accountId: string;
  id: string;
}

/** Returns the sealing context of a secret. */
export const secretContext = ({ accountId, id }: Owner): string => `webhook-secret/${accountId}/${id}`;

/** Returns a new secret in the customer's form. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Seals a secret for storage. */
export function sealSecret(keys: SealSecret, owner: Owner, secret: string): Uint8Array {
  return sealFor(keys, secretContext(owner), new TextEncoder().encode(secret));
}

/** Opens the result of `sealSecret`. */
export function openSecret(keys: SealSecret, owner: Owner, sealed: Uint8Array): string {
  const plain = openFor(keys, secretContext(owner), sealed);
  if (!plain) throw new Error(`The secret of ${owner.id} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** The content that is signed. */
interface Signed {
  eventId: string;
  event: string;
  payload: string;
}

/** A secret prepared for both signature schemes. */
export interface SigningKey {
  whole: HmacKey;
  standard: HmacKey;
}

/** Prepares a secret: the platform's scheme uses the whole text, Standard Webhooks the base64 after `whsec_`. */
export function signingKey(secret: string): SigningKey {
  return {
    whole: hmacKey(Buffer.from(secret)),
    standard: standardKey(secret),
  };
}

/** Returns the headers of one attempt, signed in both schemes with each active secret. */
export function signedHeaders(
  { eventId, event, payload }: Signed,
  keys: readonly SigningKey[],
  at: Date,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = keys.map(({ whole }) => `v1=${hmac(whole, `${seconds}.${payload}`, "hex")}`);
  return {
    "x-service-event": event,
    "x-service-signature": [`t=${seconds}`, ...hex].join(","),
    ...standardHeaders(
      keys.map(({ standard }) => standard),
      { id: eventId, body: payload, seconds },
    ),
  };
}
