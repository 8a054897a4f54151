import { createHmac, timingSafeEqual } from "node:crypto";
import { type SchemeName, SIGNATURE_HEADER, STANDARD_SECRET } from "./schema.ts";

/** A delivery as it came, with what its signature is judged by. */
export interface Signed {
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  bytes: Uint8Array;
  secret: string;
  headerName: string | null;
  /** What time it is, by the database: processes' clocks may be wrong, and a trigger has only one clock. */
  now: Date;
}

/** How far the time that is signed may be from now: what somebody has recorded is no good later. */
const TOLERANCE_SECONDS = 300;

/** Whether a delivery was signed with the secret, by the scheme, and lately where the scheme signs a time. */
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

/** What stands after this prefix, in the parts of a header that have it. */
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
