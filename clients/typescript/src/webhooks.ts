import { PlatformError } from "./errors.ts";
import type { ThinEvent, WebhookEvent } from "./generated/types.ts";

export type { ThinEvent, WebhookEvent };

type HeaderSource = Headers | Record<string, string | readonly string[] | undefined>;

/** The delivery is not from the platform, or is too old. */
export class WebhookVerificationError extends PlatformError {
  override readonly name = "WebhookVerificationError";
}

const encoder = new TextEncoder();

/**
 * Verifies a delivery by either of its signatures, and returns its event. `rawBody` is the body before any parsing;
 * during a rotation, pass both secrets. For a webhook with `payload: "thin"`: `verifyWebhook<ThinEvent>(…)`.
 */
export async function verifyWebhook<Event extends WebhookEvent | ThinEvent = WebhookEvent>(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<Event> {
  const body = typeof rawBody === "string" ? encoder.encode(rawBody) : rawBody;
  const sent = signaturesIn(headers);
  if (sent.length === 0) throw new WebhookVerificationError("The request has no signature.");
  const now = Date.now() / 1000;
  for (const { timestamp, prefix, signatures, keyOf } of sent) {
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) continue;
    const message = concat(encoder.encode(prefix), body);
    for (const secret of [secrets].flat() as string[]) {
      const key = await importKey(keyOf(secret));
      for (const signature of signatures)
        if (await crypto.subtle.verify("HMAC", key, signature, message))
          return JSON.parse(new TextDecoder().decode(body)) as Event;
    }
  }
  throw new WebhookVerificationError("No signature of the request fits the secret, the body and the time.");
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Sent {
  timestamp: string;
  /** The text that is signed before the body. */
  prefix: string;
  signatures: Bytes[];
  keyOf(secret: string): Bytes;
}

function signaturesIn(headers: HeaderSource): Sent[] {
  const read = (name: string): string | undefined => {
    if (headers instanceof Headers) return headers.get(name) ?? undefined;
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof found === "string" ? found : found?.[0];
  };
  const result: Sent[] = [];
  const [id, at, standard] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(read);
  if (id !== undefined && at !== undefined && standard !== undefined)
    result.push({
      timestamp: at,
      prefix: `${id}.${at}.`,
      signatures: [...standard.matchAll(/(?:^| )v1,([\w+/=]+)/g)].map(([, text = ""]) => fromBase64(text)),
      keyOf: (secret) => fromBase64(secret.replace(/^whsec_/, "")),
    });
  const own = read("x-service-signature");
  const time = /(?:^|,)t=(\d+)/.exec(own ?? "")?.[1];
  if (own !== undefined && time !== undefined)
    result.push({
      timestamp: time,
      prefix: `${time}.`,
      signatures: [...own.matchAll(/(?:^|,)v1=([0-9a-f]{64})/g)].map(([, text = ""]) => fromHex(text)),
      keyOf: (secret) => Uint8Array.from(encoder.encode(secret)),
    });
  return result;
}

const importKey = (key: Bytes) =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);

function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array(1);
  }
}

const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
