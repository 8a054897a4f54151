import { createHmac, randomBytes } from "node:crypto";
import { openFor, sealFor } from "#server/operation/seal.ts";

/** Which webhook a secret belongs to: sealed, it opens for no other. */
interface Owner {
  accountId: string;
  id: string;
}

const contextOf = ({ accountId, id }: Owner) => `webhook-secret/${accountId}/${id}`;

/** A new secret, as the customer gets it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Seals a secret for its row. */
export function sealSecret(key: Uint8Array, owner: Owner, secret: string): Uint8Array {
  return sealFor(key, contextOf(owner), new TextEncoder().encode(secret));
}

/** Opens what `sealSecret` sealed. */
export function openSecret(key: Uint8Array, owner: Owner, sealed: Uint8Array): string {
  const plain = openFor(key, contextOf(owner), sealed);
  if (!plain) throw new Error(`The secret of ${owner.id} was sealed under another SEALING_KEY.`);
  return new TextDecoder().decode(plain);
}

/** What is signed. */
interface Signed {
  eventId: string;
  event: string;
  payload: string;
}

/** The headers of one attempt, signed in both customary ways with each live secret. */
export function signedHeaders(
  { eventId, event, payload }: Signed,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.${payload}`, "hex")}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${hmac(key, `${eventId}.${seconds}.${payload}`, "base64")}`;
  });
  return {
    "x-service-event": event,
    "x-service-signature": [`t=${seconds}`, ...hex].join(","),
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": standard.join(" "),
  };
}

function hmac(key: string | Uint8Array, text: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", key).update(text).digest(encoding);
}
