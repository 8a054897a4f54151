import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { keysOf } from "#server/keys-of.ts";
import { ApiError, ERRORS, type ErrorCode, errorBody } from "#server/operation/errors.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { errorHeaders } from "./headers.ts";
import type { Json } from "./schemas.ts";

const CODES = keysOf(ERRORS);

/** The `error` of a failure (WIRE.md, "Errors"). */
export const ErrorObject = z.object({
  code: z.string().describe("What is wrong, for programs."),
  message: z.string().describe("What is wrong and what to do, for people."),
  status: z.number().int().describe("The HTTP status."),
  requestId: typeId("request").describe("The id of this request."),
  docUrl: z.string().describe("Explains the code; ends in it."),
  retryable: z.boolean().describe("Whether the same call can succeed later without a change."),
  retryAfterSeconds: z.number().int().optional().describe("How long to wait before that."),
  operationState: z
    .enum(["not_started", "in_progress", "completed", "unknown"])
    .describe("How far the call got. `not_started`: nothing happened, the same call may be sent again."),
  issues: z
    .array(
      z.object({
        path: z.string().describe("Where it is: `body.name`, `query.limit`, `header.x-file-name`."),
        message: z.string().describe("What is wrong there."),
      }),
    )
    .optional()
    .describe("Every fault of an invalid request."),
  check: z
    .enum(["scope", "service", "operation", "limit"])
    .optional()
    .describe("The access check that refused."),
  keyId: typeId("apiKey").optional().describe("The highest key of the chain that refused."),
  limit: z
    .object({
      operation: z.string().describe("The exhausted selector."),
      kind: z.enum(["requestsPerMinute", "maxConcurrent", "creditsPerDay"]).describe("What is limited."),
      keyId: typeId("apiKey").describe("The key that carries the limit."),
      limit: z.number().int().describe("How much it allows."),
      resetAt: instant.nullable().describe("When it allows a call again; null for `maxConcurrent`."),
    })
    .optional()
    .describe("The exhausted limit."),
  sqlState: z.string().optional().describe("PostgreSQL's code of a fault in SQL."),
  position: z.number().int().optional().describe("The character of the SQL where the fault is."),
});

/** The statuses of these codes, in ascending order, each with its codes. */
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

/** The schema of an error envelope with a code of this status. */
export function errorSchemaName(status: number): string {
  return `${responseName(status)}Error`;
}

/** The envelope's schema of each status that any of the codes has. */
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
                    description: "What is wrong, for programs.",
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

/** What a failure with this code looks like. */
export function errorExample(code: ErrorCode, baseUrl: string): Json {
  const error = new ApiError(code, ERRORS[code].meaning);
  return { ok: false, error: errorBody(error, exampleId("request"), baseUrl) };
}

/** The answer of each status that any of the codes has, as components. */
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

/** The codes as a reader of an answer's description sees them. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\``).join(", ");
}
