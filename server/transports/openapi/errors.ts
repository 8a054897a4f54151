import { z } from "zod";
import { keysOf } from "#server/base/keys-of.ts";
import { AccessCheck } from "#server/keys/schema.ts";
import { ErrorIssue } from "#server/operation/error-issue.ts";
import { ApiError, ERRORS, type ErrorCode, errorBody } from "#server/operation/errors.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { rangeHeaders } from "./headers.ts";
import { refer } from "./nested.ts";
import type { collectSchemas, Json } from "./schemas.ts";

const CODES = keysOf(ERRORS);

/**
 * The ranges of statuses that every operation declares for errors, with the component of each. A response per status
 * would make generators write a type for each status of each operation, a third of all that they write.
 */
const RANGES = [
  { hundreds: 4, name: "ClientError" },
  { hundreds: 5, name: "ServerError" },
] as const;

/** The `error` object of a failure. */
const ErrorObject = z.object({
  code: z.string().describe("Machine-readable error code, e.g. `not_found`."),
  message: z.string().describe("Human-readable message: what is wrong and how to fix it."),
  status: z.number().int().describe("The HTTP status."),
  requestId: typeId("request").describe("The id of this request."),
  docUrl: z.string().describe("Address of the documentation page of the code."),
  retryable: z.boolean().describe("Whether the same call can succeed later without a change."),
  retryAfterSeconds: z.number().int().optional().describe("Seconds to wait before trying again."),
  operationState: z
    .enum(["not_started", "in_progress", "completed", "unknown"])
    .describe("How far the call got. `not_started`: nothing happened, the same call may be sent again."),
  issues: z.array(ErrorIssue).optional().describe("All faults of an invalid request."),
  check: AccessCheck.optional().describe("The access check that failed."),
  keyId: typeId("apiKey")
    .optional()
    .describe("The highest key of the delegation chain that failed the check."),
  limit: z
    .object({
      operation: z.string().describe("The operation or selector that the limit applies to."),
      kind: z
        .enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"])
        .describe("The kind of limit: requests per minute, concurrent requests, or credits per UTC day."),
      keyId: typeId("apiKey").describe(
        "The key whose limit was exhausted: the calling key or one of its ancestors.",
      ),
      limit: z.number().int().describe("The limit's value, in requests or credits."),
      resetAt: instant.nullable().describe("When the limit allows a call again; null for `maxConcurrent`."),
    })
    .optional()
    .describe("The limit that refused the call."),
  sqlState: z.string().optional().describe("SQLSTATE of a fault in the submitted SQL."),
  position: z
    .number()
    .int()
    .optional()
    .describe("Position of the fault in the submitted SQL, as a character number."),
});

/** Returns the statuses of these codes in ascending order, each with its codes. */
export function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes)
    groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return [...groups].sort(([a], [b]) => a - b);
}

/** Returns the schemas of failures: the envelope, its `error`, and the codes with the status of each. */
export function errorSchemas({ convert }: ReturnType<typeof collectSchemas>): Record<string, Json> {
  const { properties, ...error } = convert(ErrorObject, "output");
  return {
    ErrorCode: {
      type: "string",
      enum: CODES,
      description: "Machine-readable error code.",
      "x-statuses": Object.fromEntries(CODES.map((code) => [code, ERRORS[code].status])),
    },
    Error: {
      ...error,
      description: "Why the request failed.",
      properties: { ...properties, code: refer("ErrorCode") },
    },
    Failure: {
      type: "object",
      description:
        "The body of every failure: `error.code` says why, `error.operationState` how far the call got.",
      required: ["ok", "error"],
      properties: { ok: { type: "boolean", const: false }, error: refer("Error") },
    },
  };
}

/** Returns an example of a failure with this code. */
export function errorExample(code: ErrorCode, baseUrl: string): Json {
  const error = new ApiError(code, ERRORS[code].meaning);
  return { ok: false, error: errorBody(error, exampleId("request"), baseUrl) };
}

/** Returns the responses for the ranges of statuses of these codes, as components. */
export function errorResponses(codes: readonly ErrorCode[], baseUrl: string): Record<string, Json> {
  return Object.fromEntries(
    RANGES.map(({ hundreds, name }) => [
      name,
      {
        // Each operation lists its own errors beside its reference; `Failure` describes the fields that all errors
        // have.
        description: "",
        headers: rangeHeaders(hundreds),
        content: {
          "application/json": {
            schema: refer("Failure"),
            examples: Object.fromEntries(
              codes
                .filter((code) => hundredsOf(ERRORS[code].status) === hundreds)
                .map((code) => [code, { summary: ERRORS[code].meaning, value: errorExample(code, baseUrl) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Returns an operation's responses for the status ranges of these codes; descriptions list each range's codes. */
export function errorRanges(codes: readonly ErrorCode[]): Record<string, Json> {
  const groups = byStatus(codes);
  return Object.fromEntries(
    RANGES.flatMap(({ hundreds, name }) => {
      const within = groups.filter(([status]) => hundredsOf(status) === hundreds);
      const description = within.map(([status, group]) => `${status} ${describeCodes(group)}`).join("; ");
      return within.length === 0
        ? []
        : [[`${hundreds}XX`, { $ref: `#/components/responses/${name}`, description }]];
    }),
  );
}

const hundredsOf = (status: number) => Math.floor(status / 100);

/** Returns the list of codes for a response's description. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\``).join(", ");
}
