import { Readable } from "node:stream";
import { defined } from "#server/base/defined.ts";
import type { HttpRequest } from "#server/base/http-message.ts";
import type { Call, Credential } from "#server/operation/call.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import type { Operation } from "#server/operation/operation.ts";
import { SECRET } from "#server/operation/storable.ts";
import { headerText } from "#server/operation/upload.ts";

const MAX_NAME = 200;

/** Refuses a URL that contains a secret, before any other check. */
export function refuseCredentialInUrl(url: URL): void {
  if (SECRET.test(url.href) || SECRET.test(unescaped(url.href))) {
    throw new ApiError(
      "credential_in_url",
      "The URL contains a secret, and logs keep URLs. Revoke it, and send it in the Authorization header.",
    );
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the caller's credential, selected project and end user, and address. */
export type Sender = Pick<
  Call,
  | "credential"
  | "project"
  | "endUser"
  | "headerFault"
  | "idempotencyKeys"
  | "payment"
  | "contentType"
  | "contentLength"
  | "ip"
  | "userAgent"
  | "signal"
>;

/** Returns the sender, by the headers. */
export function senderOf(request: HttpRequest, operation: Operation): Sender {
  const { headers } = request;
  const length = headers["content-length"];
  return {
    credential: credentialOf(request, operation),
    contentType: headers["content-type"] ?? null,
    contentLength: length === undefined ? null : Number(length),
    ...selectionOf(request),
    idempotencyKeys: valuesOf(request, "idempotency-key"),
    ...(operation.payment && {
      payment: { signature: valuesOf(request, "payment-signature"), legacy: valuesOf(request, "x-payment") },
    }),
    ip: request.remoteAddress,
    userAgent: headers["user-agent"] ?? null,
    signal: request.signal,
  };
}

function valuesOf({ headers, rawHeaders }: HttpRequest, name: string): string[] {
  const values: string[] = [];
  if (headers[name] === undefined) return values;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}

/**
 * Returns the header's value, or null without it. Refuses repetition: a header that decides who acts must be
 * unambiguous.
 */
function single(request: HttpRequest, name: string): string | null {
  const values = valuesOf(request, name);
  if (values.length > 1) throw invalid(`header.${name}`, "Sent more than once. Send it once.");
  return values[0] ?? null;
}

function credentialOf(request: HttpRequest, operation: Operation): Credential {
  if (operation.scope === null) return { type: "none" };
  const authorization = single(request, "authorization");
  const creditToken = operation.creditToken ? single(request, "x-service-credit-token") : null;
  if (creditToken !== null && authorization !== null) {
    throw invalid("header.x-service-credit-token", "Sent together with Authorization. Send one of the two.");
  }
  if (creditToken !== null) return { type: "creditToken", secret: creditToken };
  const bearer = /^Bearer +([^ ]+) *$/i.exec(authorization ?? "");
  if (!bearer) return { type: "none" };
  const path = `/${new URL(request.url).pathname.split("/")[1]}`;
  return { type: "key", secret: defined(bearer[1]), path };
}

/** Returns the project and end user that the headers select, or the fault in those headers. */
function selectionOf(request: HttpRequest): Pick<Call, "project" | "endUser" | "headerFault"> {
  try {
    return { project: single(request, "x-service-project"), endUser: endUserOf(request), headerFault: null };
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason;
    return { project: null, endUser: null, headerFault: reason };
  }
}

function endUserOf(request: HttpRequest): string | null {
  const value = single(request, "x-service-end-user");
  if (value === null) return null;
  const text = headerText("x-service-end-user", value);
  if (text === "" || text.length > MAX_NAME)
    throw invalid("header.x-service-end-user", `Has ${text.length} characters. Send 1 to ${MAX_NAME}.`);
  return text;
}

/** Returns the raw bytes for an operation that takes them, and the byte request for one that responds with bytes. */
export function bytesOf(request: HttpRequest, operation: Operation): Pick<Call, "sentBytes" | "byteRequest"> {
  const { headers, method } = request;
  const length = headers["content-length"];
  return {
    ...(operation.raw && {
      sentBytes: {
        header: (name) => valuesOf(request, name).map((value) => headerText(name, value)),
        length: length === undefined ? null : Number(length),
        mediaType: headers["content-type"] ?? null,
        encoding: headers["content-encoding"] ?? null,
        // The stream is opened only when somebody reads it.
        content: {
          [Symbol.asyncIterator]: () => (request.streamBody() ?? Readable.from([]))[Symbol.asyncIterator](),
        },
      },
    }),
    ...((operation.bytes || operation.stream) && {
      byteRequest: {
        head: method === "HEAD",
        header: (name) => headers[name.toLowerCase()] ?? null,
        cut: () => request.cut(),
      },
    }),
  };
}

/** Returns the query's fields by name; refuses repeated fields. */
export function queryOf(url: URL): Record<string, string> {
  const fields: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(fields, name)) repeated.push(name);
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  }
  if (repeated.length > 0)
    throw invalidRequest(
      repeated.map((name) => ({ path: `query.${name}`, message: "Sent more than once." })),
    );
  return fields;
}
