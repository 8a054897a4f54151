import type { Operation } from "#server/operation/operation.ts";
import { exampleIn } from "./example.ts";
import type { Json } from "./schemas.ts";

const text = (description: string, example: string, schema: Json = {}): Json => ({
  description,
  schema: { type: "string", ...schema },
  ...exampleIn(example),
});
const count = (description: string, example: number): Json => ({
  description,
  schema: { type: "integer", minimum: 0 },
  ...exampleIn(example),
});

/** Headers of answers, as components. */
export const HEADERS: Record<string, Json> = {
  "X-Request-Id": text(
    "The id of this request, for support and the audit.",
    "req_01jz4w1n9vf5ha3kqcx8y2r7te",
  ),
  "RateLimit-Policy": text(
    "The limits that governed the call, by selector (IETF draft).",
    '"projects.list";q=60;w=60',
  ),
  RateLimit: text("What is left of them.", '"projects.list";r=59;t=12'),
  "Idempotent-Replayed": text("`true` where a stored answer came again.", "true", { enum: ["true"] }),
  "X-Service-Credits-Charged": count("The exact charge in credits.", 2),
  "X-Service-Upstream-Request-Id": text("The managed service's own id of the request.", "up-7f3a"),
  "X-Service-Limit-Operation": text("The call's own most exact operation id.", "projects.list"),
  "Retry-After": count("Seconds to wait before the call can succeed.", 2),
  "WWW-Authenticate": text("How to authenticate.", "Bearer"),
  Deprecation: text("Since when the operation is deprecated (RFC 9745).", "@1798761600"),
  Sunset: text("When it stops working (RFC 8594).", "Sun, 31 Jan 2027 12:00:00 GMT"),
  ETag: text("The SHA-256 of the bytes, for `If-None-Match` and `If-Range`.", '"9f86d081884c7d65"'),
  "X-Content-Sha256": text("SHA-256 of all bytes, in hex.", "9f86d081884c7d659a2feaa0c55ad015"),
  "Content-Disposition": text("The name to save it by (RFC 6266).", 'attachment; filename="report.pdf"'),
  "Content-Range": text("Which bytes of how many.", "bytes 0-99/5120"),
  "Accept-Ranges": text("That a `Range` may be asked for.", "bytes"),
  "Payment-Required": text(
    "The payment that is asked for: base64 of x402 v2 requirements.",
    "eyJ4NDAyVmVyc2lvbiI6Mn0=",
  ),
  "Payment-Response": text("The settled payment: base64 of x402's JSON.", "eyJzdWNjZXNzIjp0cnVlfQ=="),
  "X-Service-Paid-Agent-Receipt": text(
    "The id of the receipt of a credit purchase.",
    "rcpt_01jz4w1n9vf5ha3kqcx8y2r7te",
  ),
  Link: text("What replaces it.", '</docs/projects.list>; rel="successor-version"'),
};

/** Headers of requests, as components. */
export const PARAMETERS: Record<string, Json> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "Yours to choose, new for every new call. The same key with the same input never acts twice.",
    schema: { type: "string", minLength: 8, maxLength: 200, pattern: "^[A-Za-z0-9:._-]{8,200}$" },
    ...exampleIn("order-2027-0001"),
  },
  Project: {
    name: "X-Service-Project",
    in: "header",
    description: "The project to act in, for a key that is not bound to one.",
    schema: { type: "string" },
    ...exampleIn("proj_01jz4w1n9vf5ha3kqcx8y2r7te"),
  },
  EndUser: {
    name: "X-Service-End-User",
    in: "header",
    description: "The one of your own users to act for, by your id of them.",
    schema: { type: "string", minLength: 1, maxLength: 200 },
    ...exampleIn("customer-81"),
  },
  Range: {
    name: "Range",
    in: "header",
    description: "One range of the bytes; several at once are answered with everything.",
    schema: { type: "string" },
    ...exampleIn("bytes=0-1023"),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the bytes that the caller has: 304 where they are the same.",
    schema: { type: "string" },
    ...exampleIn('"9f86d081884c7d65"'),
  },
  IfRange: {
    name: "If-Range",
    in: "header",
    description: "The `ETag` that the range belongs to; everything is answered where it is another.",
    schema: { type: "string" },
    ...exampleIn('"9f86d081884c7d65"'),
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last event that the client has: the stream goes on after it.",
    schema: { type: "string" },
    ...exampleIn("12"),
  },
  PaymentSignature: {
    name: "Payment-Signature",
    in: "header",
    description: "The signed payment (x402 v2, base64), on the retry after a 402.",
    schema: { type: "string" },
  },
  LegacyPayment: {
    name: "X-PAYMENT",
    in: "header",
    description: "The same of clients that speak x402 v1.",
    schema: { type: "string" },
  },
  PaymentVersion: {
    name: "X402-Version",
    in: "header",
    description: "A hint at the version that the client speaks; both are always answered.",
    schema: { type: "string" },
    ...exampleIn("2"),
  },
  CreditToken: {
    name: "X-Service-Credit-Token",
    in: "header",
    description: "Instead of a bearer key: a credit token, good for the first key of an account.",
    schema: { type: "string" },
  },
};

/** The headers that the operation takes, as references. */
export function headerParameters({
  scope,
  idempotent,
  creditToken,
  payment,
  bytes,
  stream,
}: Operation): Json[] {
  const names = [
    ...(idempotent ? ["IdempotencyKey"] : []),
    ...(scope === null ? [] : ["Project", "EndUser"]),
    ...(creditToken ? ["CreditToken"] : []),
    ...(payment ? ["PaymentSignature", "LegacyPayment", "PaymentVersion"] : []),
    ...(bytes ? ["Range", "IfNoneMatch", "IfRange"] : []),
    ...(stream ? ["LastEventId"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const referTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of a success. */
export function successHeaders(operation: Operation): Json {
  return referTo([
    "X-Request-Id",
    ...(operation.scope === null ? [] : ["RateLimit-Policy", "RateLimit"]),
    ...(operation.idempotent ? ["Idempotent-Replayed"] : []),
    ...(operation.raw ? ["X-Content-Sha256"] : []),
    ...(operation.payment ? ["Payment-Response", "X-Service-Paid-Agent-Receipt"] : []),
    ...(operation.metered ? ["X-Service-Credits-Charged", "X-Service-Upstream-Request-Id"] : []),
    ...(operation.deprecation ? ["Deprecation", "Sunset", "Link"] : []),
  ]);
}

/** The headers of bytes. */
export function byteHeaders(operation: Operation, partial: boolean): Json {
  const names = ["ETag", "X-Content-Sha256", "Content-Disposition", "Accept-Ranges"];
  return { ...successHeaders(operation), ...referTo([...names, ...(partial ? ["Content-Range"] : [])]) };
}

const BY_STATUS: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  409: ["Retry-After"],
  416: ["Content-Range"],
  429: ["Retry-After", "X-Service-Limit-Operation", "RateLimit-Policy", "RateLimit"],
  503: ["Retry-After"],
};

/** The headers of an error of this status, by any operation or by this one. */
export function errorHeaders(status: number, operation?: Operation): Json {
  const asksForPayment = status === 402 && operation?.payment;
  return referTo([
    "X-Request-Id",
    ...(BY_STATUS[status] ?? []),
    ...(asksForPayment ? ["Payment-Required"] : []),
  ]);
}
