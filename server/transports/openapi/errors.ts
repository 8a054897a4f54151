import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { keysOf } from "#server/keys-of.ts";
import { ApiError, ERRORS, type ErrorCode, errorBody } from "#server/operation/errors.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { errorHeaders } from "./headers.ts";
import type { Json } from "./schemas.ts";

const CODES = keysOf(ERRORS);

/** The `error` object of a failure (WIRE.md, "Errors"). */
export const ErrorObject = z.object({
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
  issues: z
    .array(
      z.object({
        path: z.string().describe("Location of the fault: `body.name`, `query.limit`, `header.x-file-name`."),
        message: z.string().describe("What is wrong with this field."),
      }),
    )
    .optional()
    .describe("All faults of an invalid request."),
  check: z
    .enum(["scope", "service", "operation", "limit"])
    .optional()
    .describe("The access check that failed."),
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

/** `404` → `NotFound`. */
export function responseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z]/g, "");
}

/** Returns the name of the schema of error envelopes with this status. */
export function errorSchemaName(status: number): string {
  return `${responseName(status)}Error`;
}

/** Returns the envelope's schema for each status of these codes. */
export function errorSchemas(codes: readonly ErrorCode[]): Record<string, Json> {
  return Object.fromEntries(
    byStatus(codes).map(([status]) => [
      errorSchemaName(status),
      {
        type: "object",
        description: `A failure with status ${status}.`,
        required: ["ok", "error"],
        properties: {
          ok: { type: "boolean", const: false, description: "False on every failure." },
          error: {
            description: "What went wrong.",
            allOf: [
              { $ref: "#/components/schemas/Error" },
              {
                type: "object",
                required: ["code", "status"],
                properties: {
                  code: {
                    type: "string",
                    enum: CODES.filter((code) => ERRORS[code].status === status),
                    description: "Machine-readable error code.",
                  },
                  status: { type: "integer", const: status, description: "The HTTP status." },
                },
              },
            ],
          },
        },
      },
    ]),
  );
}

/** Returns an example of a failure with this code. */
export function errorExample(code: ErrorCode, baseUrl: string): Json {
  const error = new ApiError(code, ERRORS[code].meaning);
  return { ok: false, error: errorBody(error, exampleId("request"), baseUrl) };
}

/** Returns the responses for each status of these codes, as components. */
export function errorResponses(codes: readonly ErrorCode[], baseUrl: string): Record<string, Json> {
  return Object.fromEntries(
    byStatus(codes).map(([status, group]) => [
      responseName(status),
      {
        description: describeCodes(group),
        headers: errorHeaders(status),
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${errorSchemaName(status)}` },
            examples: Object.fromEntries(
              group.map((code) => [
                code,
                { summary: ERRORS[code].meaning, value: errorExample(code, baseUrl) },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

/** Returns the list of codes for a response's description. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\``).join(", ");
}
