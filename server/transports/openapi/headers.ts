import type { Operation } from "#server/operation/operation.ts";
import { exampleIn } from "./example.ts";
import { refer } from "./nested.ts";
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

/** Response headers, as components. */
export const HEADERS: Record<string, Json> = {
  "X-Request-Id": text(
    "The id of this request, for support and the audit.",
    "req_01jz4w1n9vf5ha3kqcx8y2r7te",
  ),
  "RateLimit-Policy": text(
    "The limits that applied to the call, by selector (IETF draft).",
    '"projects.list";q=60;w=60',
  ),
  RateLimit: text(
    "The remainder of each limit: `r` calls or credits, and `t` seconds until it resets.",
    '"projects.list";r=59;t=12',
  ),
  "Idempotent-Replayed": text(
    "`true` if the response is the stored one of an earlier call with the same `Idempotency-Key`.",
    "true",
    { enum: ["true"] },
  ),
  "X-Service-Credits-Charged": count("The exact charge for the call, in credits.", 2),
  "X-Service-Upstream-Request-Id": text("The request's id at the managed service.", "up-7f3a"),
  "X-Service-Limit-Operation": text("The most specific limit selector of the call.", "projects.list"),
  "Retry-After": count("Seconds to wait before sending the call again.", 2),
  "WWW-Authenticate": text("The required authentication scheme.", "Bearer"),
  Deprecation: text(
    "The time when the operation was deprecated, as `@` and Unix seconds (RFC 9745).",
    "@1798761600",
  ),
  Sunset: text(
    "The time when the deprecated operation stops working (RFC 8594).",
    "Sun, 31 Jan 2027 12:00:00 GMT",
  ),
  ETag: text("The SHA-256 of the bytes, for `If-None-Match` and `If-Range`.", '"9f86d081884c7d65"'),
  "X-Content-Sha256": text("SHA-256 of all bytes, in hex.", "9f86d081884c7d659a2feaa0c55ad015"),
  "Content-Disposition": text(
    "The file name to save the content under (RFC 6266).",
    'attachment; filename="report.pdf"',
  ),
  "Content-Range": text("The range of bytes in this response, and the total size.", "bytes 0-99/5120"),
  "Accept-Ranges": text("Shows that `Range` requests are supported.", "bytes"),
  "Payment-Required": text(
    "The required payment: x402 v2 payment requirements in base64.",
    "eyJ4NDAyVmVyc2lvbiI6Mn0=",
  ),
  "Payment-Response": text("The settled payment: base64 of x402's JSON.", "eyJzdWNjZXNzIjp0cnVlfQ=="),
  "X-Service-Paid-Agent-Receipt": text(
    "The id of the receipt of a credit purchase.",
    "rcpt_01jz4w1n9vf5ha3kqcx8y2r7te",
  ),
  Link: text(
    "The operation that replaces the deprecated one.",
    '</docs/projects.list>; rel="successor-version"',
  ),
};

/**
 * The schemas of the request headers that most operations take. They are described here, since generators copy the
 * description of a parameter to each operation that takes it.
 */
export const HEADER_SCHEMAS: Record<string, Json> = {
  IdempotencyKey: {
    type: "string",
    minLength: 8,
    maxLength: 200,
    pattern: "^[A-Za-z0-9:._-]{8,200}$",
    description:
      "A unique value that the client chooses for each new call. A repeat with the same key and input has no second effect.",
  },
  ServiceProject: {
    type: "string",
    description: "Id of the project to act in, for a key that is not bound to a project.",
  },
  ServiceEndUser: {
    type: "string",
    minLength: 1,
    maxLength: 200,
    description: "Your own id of the end user to act for.",
  },
};

/** Request headers, as components. */
export const PARAMETERS: Record<string, Json> = {
  IdempotencyKeyHeader: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    schema: refer("IdempotencyKey"),
    ...exampleIn("order-2027-0001"),
  },
  ServiceProjectHeader: {
    name: "X-Service-Project",
    in: "header",
    schema: refer("ServiceProject"),
    ...exampleIn("proj_01jz4w1n9vf5ha3kqcx8y2r7te"),
  },
  ServiceEndUserHeader: {
    name: "X-Service-End-User",
    in: "header",
    schema: refer("ServiceEndUser"),
    ...exampleIn("customer-81"),
  },
  Range: {
    name: "Range",
    in: "header",
    description: "One range of bytes, e.g. `bytes=0-99`. A request with several ranges gets all bytes.",
    schema: { type: "string" },
    ...exampleIn("bytes=0-1023"),
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the client's copy: the response is 304 if the content is the same.",
    schema: { type: "string" },
    ...exampleIn('"9f86d081884c7d65"'),
  },
  IfRange: {
    name: "If-Range",
    in: "header",
    description:
      "The `ETag` of the content that the range belongs to; if it has changed, the response has all bytes.",
    schema: { type: "string" },
    ...exampleIn('"9f86d081884c7d65"'),
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last event the client received; the stream continues after it.",
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
    description: "The signed payment from clients of x402 v1.",
    schema: { type: "string" },
  },
  PaymentVersion: {
    name: "X402-Version",
    in: "header",
    description: "The x402 version the client uses. A hint only: responses carry both versions.",
    schema: { type: "string" },
    ...exampleIn("2"),
  },
  CreditToken: {
    name: "X-Service-Credit-Token",
    in: "header",
    description: "A credit token in place of a bearer key, for creating an account's first key.",
    schema: { type: "string" },
  },
};

/** Returns references to the request headers that the operation takes. */
export function headerParameters({
  scope,
  idempotent,
  creditToken,
  payment,
  bytes,
  stream,
}: Operation): Json[] {
  const names = [
    ...(idempotent ? ["IdempotencyKeyHeader"] : []),
    ...(scope === null ? [] : ["ServiceProjectHeader", "ServiceEndUserHeader"]),
    ...(creditToken ? ["CreditToken"] : []),
    ...(payment ? ["PaymentSignature", "LegacyPayment", "PaymentVersion"] : []),
    ...(bytes ? ["Range", "IfNoneMatch", "IfRange"] : []),
    ...(stream ? ["LastEventId"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const referTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns the headers of a success. */
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

/** Returns the headers of a response with bytes. */
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

/** Returns the headers of an error with this status by this operation. */
export function errorHeaders(status: number, { payment }: Operation): Json {
  const asksForPayment = status === 402 && payment;
  return referTo([
    "X-Request-Id",
    ...(BY_STATUS[status] ?? []),
    ...(asksForPayment ? ["Payment-Required"] : []),
  ]);
}

/** Returns the headers of errors with a status of these hundreds; each says with which statuses it is sent. */
export function rangeHeaders(hundreds: number): Json {
  const sent = Object.entries(BY_STATUS)
    .filter(([status]) => status.startsWith(String(hundreds)))
    .flatMap(([status, names]) => names.map((name) => ({ status, name })));
  const headers = [...Map.groupBy(sent, ({ name }) => name)].map(([name, group]) => {
    const statuses = group.map(({ status }) => status).join(", ");
    return [
      name,
      {
        $ref: `#/components/headers/${name}`,
        description: `${HEADERS[name]?.description} Sent with ${statuses}.`,
      },
    ];
  });
  return { ...referTo(["X-Request-Id"]), ...Object.fromEntries(headers) };
}
