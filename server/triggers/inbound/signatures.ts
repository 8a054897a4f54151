import { createHmac, timingSafeEqual } from "node:crypto";
import { type SchemeName, SIGNATURE_HEADER, STANDARD_SECRET } from "./schema.ts";

/** A delivery as received, with the secret and settings that verify it. */
export interface Signed {
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  bytes: Uint8Array;
  secret: string;
  headerName: string | null;
  /** The time by the database's clock: processes' clocks may be wrong, and a trigger has only one clock. */
  now: Date;
}

/** The maximum difference between the signed time and now, so that recorded deliveries cannot be replayed later. */
const TOLERANCE_SECONDS = 300;

/**
 * For each scheme, a function that returns true if a delivery was signed with the secret and, if the scheme signs a
 * time, recently.
 */
export const SIGNATURES: Record<SchemeName, (signed: Signed) => boolean> = {
  standard(signed) {
    const header = (name: string) =>
      signed.headers[`webhook-${name}`] ?? signed.headers[`svix-${name}`] ?? "";
    const [id, timestamp] = [header("id"), header("timestamp")];
    const key = Buffer.from(STANDARD_SECRET.exec(signed.secret)?.[1] ?? "", "base64");
    const expected = hmac(key, `${id}.${timestamp}.`, signed.bytes);
    const sent = valuesOf(header("signature"), " ", "v1,");
    return (
      id !== "" && isRecent(timestamp, signed.now) && sent.some((one) => isSame(expected, one, "base64"))
    );
  },
  stripe({ headers, bytes, secret, now }) {
    const header = headers["stripe-signature"] ?? "";
    const [timestamp = ""] = valuesOf(header, ",", "t=");
    const expected = hmac(secret, `${timestamp}.`, bytes);
    return (
      isRecent(timestamp, now) && valuesOf(header, ",", "v1=").some((one) => isSame(expected, one, "hex"))
    );
  },
  github({ headers, bytes, secret }) {
    const [sent = ""] = valuesOf(headers["x-hub-signature-256"] ?? "", " ", "sha256=");
    return isSame(hmac(secret, bytes), sent, "hex");
  },
  slack({ headers, bytes, secret, now }) {
    const timestamp = headers["x-slack-request-timestamp"] ?? "";
    const [sent = ""] = valuesOf(headers["x-slack-signature"] ?? "", " ", "v0=");
    return isRecent(timestamp, now) && isSame(hmac(secret, `v0:${timestamp}:`, bytes), sent, "hex");
  },
  // The headers of Shopify's Events begin without x-.
  shopify({ headers, bytes, secret }) {
    const sent = headers["shopify-hmac-sha256"] || headers["x-shopify-hmac-sha256"];
    return isSame(hmac(secret, bytes), sent ?? "", "base64");
  },
  hmac_sha256({ headers, bytes, secret, headerName }) {
    const sent = (headers[headerName ?? SIGNATURE_HEADER] ?? "").replace(/^sha256=/i, "");
    return isSame(hmac(secret, bytes), sent, /^[0-9a-f]{64}$/i.test(sent) ? "hex" : "base64");
  },
  none: () => true,
};

function hmac(key: string | Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const sum = createHmac("sha256", key);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

function isSame(expected: Buffer, sent: string, encoding: "hex" | "base64"): boolean {
  const bytes = Buffer.from(sent, encoding);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Returns the values after this prefix in the parts of a header. */
function valuesOf(header: string, separator: string, prefix: string): string[] {
  return header
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}

function isRecent(timestamp: string, now: Date): boolean {
  return (
    /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  );
}
