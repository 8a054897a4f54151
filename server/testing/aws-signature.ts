import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { defined } from "#server/base/defined.ts";

/** The credentials that the tests' AWS services accept. */
export const AWS_CREDENTIALS = { accessKeyId: "test-id", secretAccessKey: "test-secret" };

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
export const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Returns the signature of this request by AWS's documentation ("Signature Version 4"). */
function signatureOf(
  { method, url, headers }: IncomingMessage,
  date: string,
  scope: string[],
  signed: string,
  body: Buffer,
) {
  const { pathname, searchParams } = new URL(defined(url), "http://s3");
  const escaped = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const query = [...searchParams]
    .map((pair) => pair.map(escaped).join("="))
    .sort()
    .join("&");
  const lines = signed
    .split(";")
    .map((name) => `${name}:${headers[name]}\n`)
    .join("");
  const canonical = [method, pathname, query, lines, signed, sha256(body)].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${AWS_CREDENTIALS.secretAccessKey}`);
  return hmac(
    defined(key),
    ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n"),
  ).toString("hex");
}

/** True if a request with this body has a signature with these credentials. */
export function isSigned(message: IncomingMessage, body: Buffer): boolean {
  const {
    authorization = "",
    "x-amz-date": date,
    "x-amz-content-sha256": digest = sha256(body),
  } = message.headers;
  const found = /Credential=test-id\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(authorization);
  if (!found || digest !== sha256(body)) return false;
  const [, scope = "", signed = "", signature] = found;
  return signatureOf(message, String(date), scope.split("/"), signed, body) === signature;
}
